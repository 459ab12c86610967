#include "metrics/judge.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "metrics/classifier.hpp"
#include "metrics/support.hpp"
#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::metrics::judge_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::StripeImages;

const Bytes& stripes_judge() {
  static const Bytes bytes = [] {
    nn::prepare_compute_thread();
    const StripeImages data;
    return pack_judge(train_judge(data, testing::kUnwatched), data);
  }();
  return bytes;
}

TEST(Judge, knows_the_real_samples) {
  const Judge judge = unpack_judge(stripes_judge(), StripeImages());
  EXPECT_EQ(judge.test_accuracy, 1);
  // 1250 samples of three classes in turn, all told apart.
  const std::size_t n = judge.real.values.size();
  ASSERT_EQ(n, 64U + 64 * 65 / 2 + 3);
  EXPECT_DOUBLE_EQ(judge.real.values[n - 3], 417 / 1250.0);
  EXPECT_DOUBLE_EQ(judge.real.values[n - 2], 417 / 1250.0);
  EXPECT_DOUBLE_EQ(judge.real.values[n - 1], 416 / 1250.0);
}

#if defined(__x86_64__) && !defined(__AVX__)
// Every build for this processor must train the same judge. When a change of the networks or of the
// training is meant, raise kVersion in judge.cpp and put the new hash here.
TEST(Judge, is_the_same_on_every_machine) {
  EXPECT_EQ(to_hex(judge_hash(stripes_judge())), "fdf55c70228981e6");
}
#endif

TEST(Judge, comes_back_from_its_bytes) {
  const StripeImages data;
  const Judge judge = unpack_judge(stripes_judge(), data);
  EXPECT_EQ(pack_judge(judge, data), stripes_judge());
}

TEST(Judge, damaged_bytes_are_refused) {
  const StripeImages data;
  for (std::size_t i = 0; i < stripes_judge().size(); i += 911) {
    Bytes bad = stripes_judge();
    bad[i] ^= std::byte{4};
    EXPECT_THROW(unpack_judge(bad, data), CommError) << "byte " << i;
    bad = stripes_judge();
    bad.resize(i);
    EXPECT_THROW(unpack_judge(bad, data), CommError) << i << " bytes";
  }
}

TEST(Judge, of_other_data_is_refused) {
  StripeImages data;
  data.pretend_other_content();
  EXPECT_THROW(unpack_judge(stripes_judge(), data), CommError);
}

TEST(Judge, is_trained_once_and_then_read) {
  const TemporaryFolder folder;
  const StripeImages data;
  const CacheFolders cache{.lasting = {folder.path() / "new"}, .beside_run = {}};
  std::vector<std::string> lines;
  const Log log{.info = [&](std::string_view line) { lines.emplace_back(line); }};
  EXPECT_EQ(prepare_image_judge(data, cache, log, testing::kUnwatched), stripes_judge());
  EXPECT_THAT(lines, ElementsAre(HasSubstr("training"), HasSubstr("100.00 %")));
  const int n_reads = data.n_reads();
  EXPECT_EQ(prepare_image_judge(data, cache, log, testing::kUnwatched), stripes_judge());
  EXPECT_EQ(data.n_reads(), n_reads);
  EXPECT_EQ(lines.size(), 2U);
}

TEST(Judge, a_damaged_file_is_replaced) {
  const TemporaryFolder folder;
  const StripeImages data;
  const Log quiet;
  const CacheFolders cache{.lasting = {folder.path()}, .beside_run = {}};
  prepare_image_judge(data, cache, quiet, testing::kUnwatched);
  ASSERT_EQ(folder.files().size(), 1U);
  std::filesystem::resize_file(folder.files().front(), 5000);
  EXPECT_EQ(prepare_image_judge(data, cache, quiet, testing::kUnwatched), stripes_judge());
  EXPECT_EQ(std::filesystem::file_size(folder.files().front()), stripes_judge().size());
}

TEST(Judge, whoever_watches_its_training_can_end_it) {
  const TemporaryFolder folder;
  const CacheFolders cache{.lasting = {folder.path()}, .beside_run = {}};
  struct Enough {};
  const Progress until_half = [](double share) {
    if (share > 0.5) throw Enough();
  };
  EXPECT_THROW(prepare_image_judge(StripeImages(), cache, {}, until_half), Enough);
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace lipizz::metrics::judge_test
