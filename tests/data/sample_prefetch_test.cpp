#include "data/sample_prefetch.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cstring>
#include <numeric>

#include "core/error.hpp"

namespace lipizz::data::sample_prefetch_test {
namespace {

using ::testing::ElementsAre;

// Sample i is the number i. Counts what is read; sample 13 is broken.
class Numbers final : public SampleFiles {
 public:
  void read(std::uint32_t index, std::span<std::byte> out) const override {
    ++n_reads;
    if (index == 13) throw DataError("13.png: broken");
    std::memcpy(out.data(), &index, sizeof index);
  }
  [[nodiscard]] Label label(std::uint32_t) const override { return 0; }
  [[nodiscard]] std::uint64_t content_hash() const override { return 1; }

  mutable std::atomic<int> n_reads{0};
};

std::vector<std::uint32_t> read(SamplePrefetch& prefetch, std::span<const std::uint32_t> samples) {
  std::vector<std::uint32_t> found(samples.size());
  prefetch.read(samples, [&](std::size_t place, std::span<const std::byte> bytes) {
    std::memcpy(&found[place], bytes.data(), bytes.size());
  });
  return found;
}

TEST(SamplePrefetch, gives_what_was_expected_and_what_was_not) {
  const Numbers numbers;
  for (const std::uint32_t n_threads : {1U, 4U}) {
    SamplePrefetch prefetch(numbers, sizeof(std::uint32_t), n_threads);
    const std::vector<std::uint32_t> wanted{5, 3, 5, 40, 1};
    prefetch.expect(std::vector<std::uint32_t>{3, 5, 7});
    EXPECT_EQ(read(prefetch, wanted), wanted);
    EXPECT_EQ(read(prefetch, wanted), wanted);
  }
}

TEST(SamplePrefetch, reads_what_is_expected_once_as_long_as_it_is_kept) {
  const Numbers numbers;
  SamplePrefetch prefetch(numbers, sizeof(std::uint32_t), 2);
  std::vector<std::uint32_t> first(100);
  std::iota(first.begin(), first.end(), 100U);
  prefetch.expect(first);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(prefetch, first), first);
  prefetch.expect(std::vector<std::uint32_t>{1, 2});
  EXPECT_EQ(read(prefetch, first), first);
  EXPECT_THAT(read(prefetch, std::vector<std::uint32_t>{2, 1}), ElementsAre(2, 1));
  EXPECT_EQ(numbers.n_reads, 102);
  prefetch.expect(std::vector<std::uint32_t>{});
  EXPECT_EQ(read(prefetch, first), first);
  EXPECT_EQ(numbers.n_reads, 202) << "two expectations later they are kept no more";
}

TEST(SamplePrefetch, tells_whoever_reads_it_what_is_broken) {
  const Numbers numbers;
  SamplePrefetch prefetch(numbers, sizeof(std::uint32_t), 2);
  prefetch.expect(std::vector<std::uint32_t>{12, 13, 14});
  EXPECT_THAT(read(prefetch, std::vector<std::uint32_t>{12, 14}), ElementsAre(12, 14));
  EXPECT_THROW(read(prefetch, std::vector<std::uint32_t>{13}), DataError);
  EXPECT_THROW(read(prefetch, std::vector<std::uint32_t>{20, 13}), DataError);
}

TEST(SamplePrefetch, ends_with_work_left) {
  const Numbers numbers;
  SamplePrefetch prefetch(numbers, sizeof(std::uint32_t), 2);
  std::vector<std::uint32_t> many(10'000);
  std::iota(many.begin(), many.end(), 100U);
  prefetch.expect(many);
}

}  // namespace
}  // namespace lipizz::data::sample_prefetch_test
