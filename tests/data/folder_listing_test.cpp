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
