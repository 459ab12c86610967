#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/dataset.hpp"
#include "data/support.hpp"

namespace lipizz::data::registry_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const DatasetEntry& entry : datasets()) all.emplace_back(entry.name);
  return all;
}

// Those of one's own have no samples before somebody names them.
std::vector<std::string> names_of_known_samples() {
  std::vector<std::string> all = names();
  std::erase_if(all, [](const std::string& name) { return !find_dataset(name).form; });
  return all;
}

TEST(Datasets, are_listed_each_with_the_model_that_fits) {
  EXPECT_THAT(names(), ElementsAre("glyphs", "mnist", "fashion-mnist", "stacked-mnist", "cifar10",
                                   "glyph-edges", "facades", "ring8", "grid25", "image-folder",
                                   "pairs", "npy", "hdf5", "csv"));
  EXPECT_EQ(find_dataset("glyphs").model, "mlp");
  EXPECT_EQ(find_dataset("cifar10").model, "dcgan32");
  EXPECT_EQ(find_dataset("grid25").model, "mlp-2d");
}

TEST(Datasets, an_unknown_name_is_refused_with_the_nearest) {
  try {
    open_dataset("glyps", {});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"glyphs\"?"));
  }
}

/// The requirements on every dataset that can be opened here. Each is opened once for all tests.
class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr std::uint32_t kMaxSamples = 1'000;

  static void TearDownTestSuite() { opened_.clear(); }

  void SetUp() override {
    try {
      auto& opened = opened_[GetParam()];
      if (!opened) opened = open_dataset(GetParam(), options());
      dataset_ = opened;
    } catch (const DataError& error) {
      if (!is_built_in()) GTEST_SKIP() << error.what();
      throw;
    }
  }

  static std::string data_dir() {
    const char* value = std::getenv("LIPIZZ_DATA_DIR");
    return value != nullptr ? value : "";
  }
  static OpenOptions options() {
    OpenOptions options;
    options.data_dir = data_dir();
    options.max_samples = kMaxSamples;
    return options;
  }
  static bool is_built_in() { return find_dataset(GetParam()).origin == Origin::kBuiltIn; }

  std::shared_ptr<const Dataset> dataset_;

 private:
  static inline std::map<std::string, std::shared_ptr<const Dataset>> opened_;
};

TEST_P(Conformance, tells_its_name_and_sizes) {
  EXPECT_EQ(dataset_->name(), GetParam());
  EXPECT_EQ(dataset_->n_train(), std::min(kMaxSamples, dataset_->n_train_full()));
  EXPECT_GE(dataset_->n_test(), 200U);
  EXPECT_THAT(dataset_->modes(),
              SizeIs(dataset_->kind() == SampleKind::kPoint ? dataset_->n_classes() : 0));
}

TEST_P(Conformance, is_described_without_being_opened) {
  const Description about = describe_dataset(GetParam(), options());
  EXPECT_EQ(about.name, GetParam());
  EXPECT_EQ(static_cast<const SampleForm&>(about), form_of(*dataset_));
  EXPECT_EQ(about.n_train, dataset_->n_train_full());
  EXPECT_EQ(about.n_train_within(kMaxSamples), dataset_->n_train());
  EXPECT_EQ(about.n_test, dataset_->n_test());
}

TEST_P(Conformance, is_what_the_table_says) {
  EXPECT_EQ(find_dataset(GetParam()).form, form_of(*dataset_));
}

TEST_P(Conformance, says_where_it_comes_from) {
  EXPECT_EQ(is_built_in(), find_dataset(GetParam()).summary.ends_with("built in"));
  EXPECT_EQ(!is_built_in(), find_dataset(GetParam()).summary.ends_with("from files"));
}

TEST_P(Conformance, half_of_a_pair_s_channels_are_the_condition) {
  const std::uint32_t n = dataset_->n_condition_channels();
  EXPECT_TRUE(n == 0 || 2 * n == dataset_->shape().channels);
  EXPECT_EQ(n > 0, find_dataset(GetParam()).summary.starts_with("pairs"));
}

TEST_P(Conformance, labels_every_sample_and_misses_no_class) {
  if (dataset_->n_classes() == 0) GTEST_SKIP() << "no labels";
  const std::uint32_t n = 1'000 + 20 * dataset_->n_classes();
  std::set<std::uint32_t> train;
  std::set<std::uint32_t> test;
  for (std::uint32_t i = 0; i < std::min(n, dataset_->n_train_full()); ++i) {
    train.insert(dataset_->train_label(i));
  }
  for (std::uint32_t i = 0; i < std::min(n, dataset_->n_test()); ++i) {
    test.insert(dataset_->test_label(i));
  }
  EXPECT_THAT(train, SizeIs(dataset_->n_classes()));
  EXPECT_EQ(train, test);
  EXPECT_EQ(*train.rbegin(), dataset_->n_classes() - 1);
}

TEST_P(Conformance, gives_a_sample_by_its_index_whatever_is_read_beside_it) {
  const std::size_t size = dataset_->shape().size();
  const std::vector<float> block = read_train(*dataset_, 20);
  std::vector<float> one(size);
  dataset_->read_train(std::vector<std::uint32_t>{17}, one);
  EXPECT_EQ(one, std::vector<float>(block.begin() + static_cast<std::ptrdiff_t>(17 * size),
                                    block.begin() + static_cast<std::ptrdiff_t>(18 * size)));
}

TEST_P(Conformance, images_lie_between_minus_one_and_one) {
  if (dataset_->kind() != SampleKind::kImage) GTEST_SKIP() << "points have no bounds";
  const std::vector<float> samples = read_train(*dataset_, 20);
  EXPECT_EQ(*std::ranges::min_element(samples), -1.0f);
  EXPECT_EQ(*std::ranges::max_element(samples), 1.0f);
}

TEST_P(Conformance, is_shared_by_its_handle) {
  std::vector<std::string> log;
  OpenOptions options;
  options.data_dir = "/nowhere";
  options.max_samples = 50;
  options.log.info = [&](std::string_view line) { log.emplace_back(line); };
  const auto shared = open_shared_dataset(GetParam(), options, dataset_->share_handle());
  EXPECT_THAT(log, IsEmpty());
  EXPECT_EQ(shared->n_train(), 50U);
  EXPECT_EQ(shared->content_hash(), dataset_->content_hash());
  EXPECT_EQ(read_train(*shared, 20), read_train(*dataset_, 20));
}

INSTANTIATE_TEST_SUITE_P(Datasets, Conformance, ::testing::ValuesIn(names_of_known_samples()),
                         [](const auto& dataset) {
                           std::string name = dataset.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(SharedDataset, a_handle_that_leads_nowhere_is_told_and_replaced_by_a_copy) {
  const auto first = open_dataset("ring8", {});
  Bytes handle = first->share_handle();
  handle[handle.size() - sizeof(std::uint64_t)] ^= std::byte{1};  // another size
  for (const Bytes& bad : {handle, Bytes{}}) {
    std::vector<std::string> log;
    OpenOptions options;
    options.log.info = [&](std::string_view line) { log.emplace_back(line); };
    const auto copy = open_shared_dataset("ring8", options, bad);
    EXPECT_THAT(log, ElementsAre(HasSubstr("ring8 is not shared within the node")));
    EXPECT_EQ(copy->content_hash(), first->content_hash());
  }
}

}  // namespace
}  // namespace lipizz::data::registry_test
