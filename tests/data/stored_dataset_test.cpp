#include "data/stored_dataset.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/hash.hpp"
#include "data/image.hpp"
#include "data/support.hpp"

namespace lipizz::data::stored_dataset_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Description small(SampleKind kind) {
  Description about;
  about.name = "small";
  about.kind = kind;
  about.shape = {.height = 1, .width = 3, .channels = 1};
  about.n_train = 4;
  about.n_test = 2;
  about.n_classes = 6;
  about.modes = {{1.0f, 2.0f, 3.0f}};
  return about;
}

/// Value i in place i, label i for sample i.
void count_up(const Content& content) {
  for (std::size_t i = 0; i < content.pixels.size(); ++i) {
    content.pixels[i] = static_cast<std::uint8_t>(i);
  }
  for (std::size_t i = 0; i < content.values.size(); ++i) {
    content.values[i] = static_cast<float>(i);
  }
  for (std::size_t i = 0; i < content.labels.size(); ++i) {
    content.labels[i] = static_cast<Label>(i);
  }
}

/// Sample i has the value i everywhere and lies in place 5 - i. Notes the places that are read.
class Backwards final : public SampleFiles {
 public:
  void read(std::uint32_t index, std::span<std::byte> out) const override {
    places.push_back(place(index));
    std::ranges::fill(out, static_cast<std::byte>(index));
  }
  [[nodiscard]] Label label(std::uint32_t index) const override {
    return static_cast<Label>(index);
  }
  [[nodiscard]] std::uint32_t place(std::uint32_t index) const override { return 5 - index; }
  [[nodiscard]] std::uint64_t content_hash() const override { return 1; }

  mutable std::vector<std::uint32_t> places;
};

auto load(SampleKind kind, std::uint32_t max_samples = 0) {
  OpenOptions options;
  options.max_samples = max_samples;
  return StoredDataset::load({small(kind), count_up}, options);
}

TEST(StoredDataset, gives_points_as_they_are_in_the_order_asked_for) {
  const auto dataset = load(SampleKind::kPoint);
  std::vector<float> out(6);
  dataset->read_train(std::array{3U, 0U}, out);
  EXPECT_THAT(out, ElementsAre(9, 10, 11, 0, 1, 2));
  dataset->read_test(std::array{1U, 1U}, out);
  EXPECT_THAT(out, ElementsAre(15, 16, 17, 15, 16, 17));
  EXPECT_EQ(dataset->train_label(3), 3);
  EXPECT_EQ(dataset->test_label(1), 5);
}

TEST(StoredDataset, gives_every_pixel_value_as_a_number_from_minus_one_to_one) {
  Description about = small(SampleKind::kImage);
  about.shape = {.height = 16, .width = 16, .channels = 1};
  const auto dataset = StoredDataset::load({about, count_up}, {});
  std::vector<float> out(256);
  dataset->read_test(std::array{0U}, out);
  EXPECT_EQ(out[0], -1.0f);
  EXPECT_EQ(out[255], 1.0f);
  for (int v = 0; v < 256; ++v) {
    ASSERT_NEAR(out[static_cast<std::size_t>(v)], 2.0 * v / 255.0 - 1.0, 1.2e-7);
  }
}

TEST(StoredDataset, files_are_read_from_their_beginning_to_their_end) {
  const auto files = std::make_shared<Backwards>();
  const auto dataset =
      StoredDataset::load({.about = small(SampleKind::kImage), .load = {}, .files = files}, {});
  EXPECT_THAT(files->places, ElementsAre(0, 1, 2, 3, 4, 5));
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read_train(*dataset, 4)[3 * i], from_pixel(static_cast<std::uint8_t>(i)));
    EXPECT_EQ(dataset->train_label(i), i);
  }
  EXPECT_EQ(dataset->test_label(1), 5);
}

TEST(StoredDataset, max_samples_limits_training_alone) {
  const auto all = load(SampleKind::kImage);
  const auto some = load(SampleKind::kImage, 3);
  const auto many = load(SampleKind::kImage, 99);
  EXPECT_EQ(all->n_train(), 4U);
  EXPECT_EQ(some->n_train(), 3U);
  EXPECT_EQ(many->n_train(), 4U);
  EXPECT_EQ(some->n_train_full(), 4U);
  EXPECT_EQ(some->n_test(), 2U);
  EXPECT_EQ(some->content_hash(), all->content_hash());
  EXPECT_EQ(some->train_label(3), 3);  // beyond n_train(), for scores
}

TEST(StoredDataset, hashes_samples_and_labels) {
  const std::uint64_t hash = load(SampleKind::kPoint)->content_hash();
  Hasher hasher;
  for (int i = 0; i < 18; ++i) hasher.value(static_cast<float>(i));
  for (Label i = 0; i < 6; ++i) hasher.value(i);
  hasher.value(std::uint32_t{0});  // up to a multiple of 8 bytes
  EXPECT_EQ(hash, hasher.digest());
  const auto change_one = [](const Content& content) {
    count_up(content);
    content.labels[5] = 0;
  };
  const auto changed = StoredDataset::load({small(SampleKind::kPoint), change_one}, {});
  EXPECT_NE(hash, changed->content_hash());
}

TEST(StoredDataset, another_that_follows_the_handle_is_equal) {
  const auto first = load(SampleKind::kPoint);
  const auto second = StoredDataset::open("small", 2, first->share_handle());
  EXPECT_EQ(second->name(), "small");
  EXPECT_EQ(second->kind(), SampleKind::kPoint);
  EXPECT_EQ(second->shape().width, 3U);
  EXPECT_EQ(second->n_train(), 2U);
  EXPECT_EQ(second->n_train_full(), 4U);
  EXPECT_EQ(second->n_test(), 2U);
  EXPECT_EQ(second->n_classes(), 6U);
  EXPECT_EQ(second->modes()[0].sigma, 3.0f);
  EXPECT_EQ(second->content_hash(), first->content_hash());
  EXPECT_EQ(read_train(*second, 4), read_train(*first, 4));
  EXPECT_EQ(second->test_label(1), 5);
}

TEST(StoredDataset, a_handle_of_another_dataset_is_refused) {
  const auto dataset = load(SampleKind::kPoint);
  EXPECT_THAT(data_error([&] { StoredDataset::open("large", 0, dataset->share_handle()); }),
              AllOf(HasSubstr("large"), HasSubstr("small")));
}

TEST(StoredDataset, a_handle_that_does_not_fit_its_memory_is_refused) {
  const auto points = load(SampleKind::kPoint);
  Bytes handle = points->share_handle();
  const std::size_t kind_place = sizeof(std::uint64_t) + std::string("small").size();
  handle[kind_place] = std::byte{0};  // images: a quarter of the memory
  EXPECT_THAT(data_error([&] { StoredDataset::open("small", 0, handle); }),
              HasSubstr("expected 48 bytes of shared memory, found 96"));
}

TEST(StoredDataset, memory_with_another_content_is_refused) {
  const auto dataset = load(SampleKind::kPoint);
  ByteWriter hash;
  hash.value(dataset->content_hash());
  const Bytes hash_bytes = hash.take();
  Bytes handle = dataset->share_handle();
  const auto place = std::ranges::search(handle, hash_bytes);
  ASSERT_FALSE(place.empty());
  place.front() ^= std::byte{1};
  EXPECT_THAT(data_error([&] { StoredDataset::open("small", 0, handle); }),
              AllOf(HasSubstr("expected shared content"),
                    HasSubstr("found " + to_hex(dataset->content_hash()))));
}

TEST(StoredDataset, a_handle_cut_anywhere_is_refused) {
  const auto dataset = load(SampleKind::kPoint);
  const Bytes handle = dataset->share_handle();
  for (std::size_t n = 0; n < handle.size(); ++n) {
    EXPECT_THROW(StoredDataset::open("small", 0, std::span(handle).first(n)), Error) << n;
  }
}

TEST(StoredDataset, a_loader_that_fails_is_heard) {
  const auto fail = [](const Content&) { throw DataError("a torn page"); };
  EXPECT_EQ(data_error([&] {
              StoredDataset::load({small(SampleKind::kImage), fail}, {});
            }),
            "a torn page");
}

}  // namespace
}  // namespace lipizz::data::stored_dataset_test
