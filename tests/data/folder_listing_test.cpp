#include "data/folder_listing.hpp"

#include <gmock/gmock.h>

#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::folder_listing_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::put_text;

TEST(FolderListing, has_pictures_and_others_in_the_order_of_their_names) {
  const TemporaryFolder folder;
  for (const char* name :
       {"b.PNG", "a/z.jpeg", "a/y.Jpg", "c.gif", "LICENSE", ".d.png", ".e/f.png"}) {
    put_text(folder.path() / name, "text");
  }
  const FolderListing listing = list_pictures(folder.path());
  std::vector<std::string> names;
  for (const ListedFile& file : listing.pictures) names.push_back(file.name);
  EXPECT_THAT(names, ElementsAre("a/y.Jpg", "a/z.jpeg", "b.PNG"));
  EXPECT_THAT(listing.others, ElementsAre("LICENSE", "c.gif"));
  EXPECT_EQ(listing.pictures[0].n_bytes, 4U);
}

TEST(FolderListing, pictures_outside_of_the_parts_are_others_where_there_are_such) {
  const TemporaryFolder folder;
  const auto names = [&] {
    std::vector<std::string> pictures;
    for (const ListedFile& file : list_pictures(folder.path()).pictures) {
      pictures.push_back(file.name);
    }
    return pictures;
  };
  for (const char* name : {"preview.png", "more/train/1.png", "train/a/1.png", "trains/1.png"}) {
    put_text(folder.path() / name, "text");
  }
  EXPECT_THAT(names(),
              ElementsAre("more/train/1.png", "preview.png", "train/a/1.png", "trains/1.png"));
  put_text(folder.path() / "val/2.png", "text");
  put_text(folder.path() / "a.txt", "text");
  EXPECT_THAT(names(), ElementsAre("train/a/1.png", "val/2.png"));
  EXPECT_THAT(list_pictures(folder.path()).others,
              ElementsAre("a.txt", "more/train/1.png", "preview.png", "trains/1.png"));
}

TEST(FolderListing, tells_parts_by_names) {
  EXPECT_EQ(part_of("train/a/1.png"), FolderPart::kTrain);
  EXPECT_EQ(part_of("test/1.png"), FolderPart::kTest);
  EXPECT_EQ(part_of("val/1.png"), FolderPart::kTest);
  EXPECT_EQ(part_of("train.png"), FolderPart::kNone);
}

TEST(FolderListing, follows_a_link_to_a_folder) {
  const TemporaryFolder folder;
  put_text(folder.path() / "elsewhere/1.png", "text");
  std::filesystem::create_directory(folder.path() / "all");
  std::filesystem::create_directory_symlink(folder.path() / "elsewhere",
                                            folder.path() / "all/cats");
  EXPECT_EQ(list_pictures(folder.path() / "all").pictures.at(0).name, "cats/1.png");
}

TEST(FolderListing, what_is_no_folder_is_refused) {
  const TemporaryFolder folder;
  put_text(folder.path() / "file", "text");
  EXPECT_THAT(data_error([&] { list_pictures(folder.path() / "file"); }), HasSubstr("file: "));
  EXPECT_THAT(data_error([&] { list_pictures(folder.path()); }), HasSubstr("found none"));
}

}  // namespace
}  // namespace lipizz::data::folder_listing_test
