#include "data/picture_samples.hpp"

#include <gmock/gmock.h>

#include <set>

#include "data/support.hpp"

namespace lipizz::data::picture_samples_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

FolderIndex index_of(const std::vector<std::string>& names, std::uint32_t channels = 1) {
  FolderIndex index{.folder = "/pictures", .pictures = {}};
  for (const std::string& name : names) {
    IndexedPicture& picture = index.pictures.emplace_back();
    picture.name = name;
    picture.channels = channels;
    picture.hash = std::hash<std::string>()(name);
  }
  return index;
}

TEST(PictureSamples, parts_are_folders_where_there_are_such) {
  const FolderIndex index =
      index_of({"train/1", "train/2", "train/3", "val/4", "other/5", "test/6"});
  EXPECT_TRUE(has_parts(index.pictures));
  const SampleParts parts = parts_of(index, 0.5);
  EXPECT_EQ(parts.n_train, 3U);
  EXPECT_THAT(std::span(parts.order).first(3), UnorderedElementsAre(0, 1, 2));
  EXPECT_THAT(std::span(parts.order).subspan(3), UnorderedElementsAre(3, 5));
  EXPECT_FALSE(has_parts(index_of({"train/1", "train/2"}).pictures));
}

TEST(PictureSamples, else_they_are_shares) {
  const SampleParts parts = parts_of(index_of({"a", "b", "c", "d"}), 0.25);
  EXPECT_EQ(parts.n_train, 3U);
  EXPECT_THAT(parts.order, UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_THAT(data_error([] { parts_of(index_of({"a"}), 0.5); }), HasSubstr("found one"));
}

TEST(PictureSamples, are_coloured_where_any_picture_is) {
  FolderIndex index = index_of({"a", "b"});
  EXPECT_EQ(channels_of(index, {}), 1U);
  index.pictures[1].channels = 3;
  EXPECT_EQ(channels_of(index, {}), 3U);
  OwnFiles grey;
  grey.channels = 1;
  EXPECT_EQ(channels_of(index, grey), 1U);
}

TEST(PictureSamples, have_a_hash_of_their_content_and_labels) {
  const FolderIndex index = index_of({"a", "b", "c"});
  const auto hash = [&](std::vector<std::uint32_t> order, std::vector<Label> labels) {
    return PictureSamples(index, {.order = std::move(order), .n_train = 2}, std::move(labels), {})
        .content_hash();
  };
  EXPECT_EQ(hash({0, 1, 2}, {}), hash({0, 1, 2}, {}));
  EXPECT_NE(hash({0, 1, 2}, {}), hash({0, 2, 1}, {}));
  EXPECT_NE(hash({0, 1, 2}, {}), hash({0, 1, 2}, {0, 1, 0}));
}

TEST(PictureSamples, have_a_hash_of_how_pictures_become_samples) {
  const FolderIndex index = index_of({"a", "b", "c"});
  const auto hash = [&](const Conversion& conversion) {
    return PictureSamples(index, {.order = {0, 1, 2}, .n_train = 2}, {}, conversion).content_hash();
  };
  const std::set<std::uint64_t> hashes{
      hash({.shape = {16, 16, 1}}),
      hash({.shape = {16, 32, 1}}),
      hash({.shape = {32, 16, 1}}),
      hash({.shape = {16, 16, 3}}),
      hash({.shape = {16, 16, 1}, .fit = Fit::kStretch}),
      hash({.shape = {16, 16, 1}, .condition = "left"}),
      hash({.shape = {16, 16, 1}, .condition = "right"}),
  };
  EXPECT_EQ(hashes.size(), 7U);
}

TEST(PictureSamples, labels_are_those_of_the_pictures) {
  const PictureSamples samples(index_of({"a", "b", "c"}), {.order = {2, 0, 1}, .n_train = 2},
                               {5, 6, 7}, {});
  EXPECT_THAT((std::array{samples.label(0), samples.label(1), samples.label(2)}),
              ElementsAre(7, 5, 6));
}

}  // namespace
}  // namespace lipizz::data::picture_samples_test
