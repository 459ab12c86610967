#include "data/image_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::image_folder_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::OwnOptions;
using testing::plain;
using testing::put_png;
using testing::put_text;

// Two classes in nested folders, several sizes, grey beside colour.
void put_pets(const std::filesystem::path& folder) {
  for (std::uint8_t i = 0; i < 6; ++i) {
    const std::string name = std::to_string(i) + ".png";
    put_png(folder / "animals/cats" / name, plain(20 + i, 17, 3, 10));
    put_png(folder / "animals/dogs" / name, plain(16, 18 + i, 1, 200));
  }
}

TEST(ImageFolder, folders_are_classes_and_pictures_get_one_form) {
  const TemporaryFolder folder;
  put_pets(folder.path());
  put_text(folder.path() / "animals/README.md", "not a picture");
  put_text(folder.path() / ".cache/hidden.png", "not looked at");
  OwnOptions own(folder.path());
  own.options.own.size = 16;
  own.options.own.test_share = 0.25;
  const auto dataset = open_dataset("image-folder", own.options);
  EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {16, 16, 3}, .n_classes = 2}));
  EXPECT_EQ(dataset->n_train(), 9U);
  EXPECT_EQ(dataset->n_test(), 3U);
  const std::vector<float> samples = read_train(*dataset, 9);
  for (std::uint32_t i = 0; i < 9; ++i) {
    const float centre = samples[(i * 256 + 8 * 16 + 8) * 3];
    EXPECT_FLOAT_EQ(centre, (dataset->train_label(i) == 0 ? 10 : 200) / 127.5f - 1) << i;
  }
  EXPECT_THAT(own.lines, AllOf(HasSubstr("12 pictures"),
                               HasSubstr("1 other file, not used: "
                                         "animals/README.md"),
                               HasSubstr("2 classes: animals/cats, animals/dogs")));
}

TEST(ImageFolder, every_sample_is_in_one_part_and_the_first_ones_are_of_all_classes) {
  const TemporaryFolder folder;
  put_pets(folder.path());
  OwnOptions own(folder.path());
  own.options.own.size = 16;
  const auto dataset = open_dataset("image-folder", own.options);
  std::map<Label, int> counts;
  for (std::uint32_t i = 0; i < dataset->n_train(); ++i) ++counts[dataset->train_label(i)];
  for (std::uint32_t i = 0; i < dataset->n_test(); ++i) ++counts[dataset->test_label(i)];
  EXPECT_EQ(counts, (std::map<Label, int>{{0, 6}, {1, 6}}));
  std::map<Label, int> first;
  for (std::uint32_t i = 0; i < 8; ++i) ++first[dataset->train_label(i)];
  EXPECT_EQ(first.size(), 2U);
}

TEST(ImageFolder, parts_of_their_own_are_taken_as_they_are) {
  const TemporaryFolder folder;
  for (const char* name : {"train/a/1.png", "train/b/2.png", "test/a/3.png", "val/b/4.png"}) {
    put_png(folder.path() / name, plain(16, 16, 1, 9));
  }
  OwnOptions own(folder.path());
  const auto dataset = open_dataset("image-folder", own.options);
  EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {16, 16, 1}, .n_classes = 2}));
  EXPECT_EQ(dataset->n_train(), 2U);
  EXPECT_EQ(dataset->n_test(), 2U);
}

TEST(ImageFolder, pictures_outside_of_the_parts_decide_nothing) {
  const TemporaryFolder folder;
  for (const char* name : {"train/c0/1.png", "train/c1/2.png", "test/c0/3.png", "test/c1/4.png"}) {
    put_png(folder.path() / name, plain(16, 16, 1, 9));
  }
  put_png(folder.path() / "extra/birds/x.png", plain(20, 30, 3, 9));
  put_png(folder.path() / "preview.png", plain(99, 99, 3, 9));
  put_text(folder.path() / "extra/broken.png", "text");
  OwnOptions own(folder.path());
  const auto dataset = open_dataset("image-folder", own.options);
  EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {16, 16, 1}, .n_classes = 2}));
  EXPECT_EQ(dataset->n_train(), 2U);
  EXPECT_EQ(dataset->n_test(), 2U);
  EXPECT_THAT(own.lines, AllOf(HasSubstr("4 pictures"), HasSubstr("2 classes: c0, c1"),
                               HasSubstr("3 other files, not used: extra/birds/x.png, "
                                         "extra/broken.png, preview.png")));
}

// Judges and saved cells are told apart by the hash.
TEST(ImageFolder, pictures_that_are_brought_to_another_form_have_another_hash) {
  const TemporaryFolder folder;
  put_pets(folder.path());
  OwnOptions own(folder.path());
  const auto hash = [&](std::uint32_t size, const char* fit, std::uint32_t channels) {
    own.options.own.size = size;
    own.options.own.fit = fit;
    own.options.own.channels = channels;
    return open_dataset("image-folder", own.options)->content_hash();
  };
  const std::uint64_t as_it_is = hash(16, "crop", 0);
  EXPECT_EQ(hash(16, "crop", 3), as_it_is);
  EXPECT_NE(hash(16, "stretch", 0), as_it_is);
  EXPECT_NE(hash(32, "crop", 0), as_it_is);
  EXPECT_NE(hash(16, "crop", 1), as_it_is);
}

// How many threads read, whether memory holds all, and what is expected change no bit.
TEST(ImageFolder, samples_are_the_same_however_they_are_read) {
  const TemporaryFolder folder;
  put_pets(folder.path());
  OwnOptions own(folder.path());
  own.options.own.size = 16;
  own.options.n_readers = 1;
  const auto kept = open_dataset("image-folder", own.options);
  own.options.most_bytes = 0;
  for (const std::uint32_t n_readers : {1U, 4U}) {
    own.options.n_readers = n_readers;
    EXPECT_TRUE(describe_dataset("image-folder", own.options).is_streamed);
    const auto streamed = open_dataset("image-folder", own.options);
    EXPECT_EQ(streamed->content_hash(), kept->content_hash());
    EXPECT_TRUE(streamed->share_handle().empty());
    const std::vector<std::uint32_t> all{3, 1, 0, 5, 5, 2, 9, 4};
    std::vector<float> a(all.size() * 768);
    std::vector<float> b(all.size() * 768);
    kept->read_train(all, a);
    streamed->expect_train(std::span(all).first(5));
    streamed->read_train(all, b);
    EXPECT_EQ(a, b);
    for (std::uint32_t i = 0; i < kept->n_test(); ++i) {
      EXPECT_EQ(streamed->test_label(i), kept->test_label(i));
    }
    EXPECT_EQ(read_test(*streamed, 1), read_test(*kept, 1));
  }
}

TEST(ImageFolder, what_cannot_be_used_is_named) {
  const auto complaint = [](const auto& put, std::uint32_t size = 16) {
    const TemporaryFolder folder;
    put_pets(folder.path());
    put(folder.path());
    OwnOptions own(folder.path());
    own.options.own.size = size;
    return data_error([&] { open_dataset("image-folder", own.options); });
  };
  EXPECT_THAT(complaint([](const auto&) {}, 0),
              AllOf(HasSubstr("several sizes"), HasSubstr("20 x 17"), HasSubstr("data.size")));
  EXPECT_THAT(complaint([](const auto& to) { put_text(to / "animals/cats/x.png", "text"); }),
              AllOf(HasSubstr("animals/cats/x.png"), HasSubstr("replace or remove it")));
  EXPECT_THAT(complaint([](const auto& to) {
                for (const char* name : {"1.jpg", "2.JPG", "3.jpeg", "4.png"}) {
                  put_text(to / name, "text");
                }
              }),
              AllOf(HasSubstr("4 of 16 pictures cannot be read"), HasSubstr("1.jpg"),
                    HasSubstr("3.jpeg"), Not(HasSubstr("4.png"))));
  EXPECT_THAT(complaint([](const auto& to) { put_png(to / "x.png", plain(16, 16, 1, 1)); }),
              AllOf(HasSubstr("x.png"), HasSubstr("beside folders")));
}

TEST(ImageFolder, a_folder_without_pictures_is_refused) {
  const TemporaryFolder folder;
  put_text(folder.path() / "a.txt", "text");
  OwnOptions own(folder.path());
  EXPECT_THAT(data_error([&] { open_dataset("image-folder", own.options); }),
              HasSubstr("expected a folder with pictures"));
  own.options.own.path = folder.path() / "none";
  EXPECT_THAT(data_error([&] { open_dataset("image-folder", own.options); }), HasSubstr("none"));
}

TEST(ImageFolder, a_picture_that_becomes_another_is_named) {
  const TemporaryFolder folder;
  put_pets(folder.path());
  OwnOptions own(folder.path());
  own.options.own.size = 16;
  own.options.most_bytes = 0;
  const auto dataset = open_dataset("image-folder", own.options);
  for (std::uint8_t i = 0; i < 6; ++i) {
    put_png(folder.path() / "animals/cats" / (std::to_string(i) + ".png"), plain(16, 16, 3, 99));
  }
  EXPECT_THAT(data_error([&] { read_train(*dataset, dataset->n_train()); }),
              AllOf(HasSubstr("animals/cats/"), HasSubstr("not what it was")));
}

}  // namespace
}  // namespace lipizz::data::image_folder_test
