#include "data/folder_index.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::folder_index_test {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using testing::OwnOptions;
using testing::plain;
using testing::put_png;

class FolderIndexTest : public ::testing::Test {
 protected:
  FolderIndexTest() : own_(folder_.path() / "pictures") {
    for (std::uint8_t i = 0; i < 5; ++i) put(i, i);
    own_.options.cache.lasting = {folder_.path() / "cache"};
  }

  fs::path path(int i) const { return folder_.path() / "pictures" / (std::to_string(i) + ".png"); }
  void put(int i, std::uint8_t value) { put_png(path(i), plain(8, 8, 1, value)); }

  FolderIndex index() {
    own_.lines.clear();
    return index_folder(own_.options.own.path, own_.options);
  }

  TemporaryFolder folder_;
  OwnOptions own_;
};

TEST_F(FolderIndexTest, looks_at_each_picture_once) {
  const FolderIndex first = index();
  EXPECT_THAT(own_.lines, HasSubstr("5 pictures, 5 of them looked at anew"));
  const FolderIndex second = index();
  EXPECT_THAT(own_.lines, HasSubstr("5 pictures, 0 of them looked at anew"));
  EXPECT_EQ(pack_index(second), pack_index(first));
}

TEST_F(FolderIndexTest, looks_again_at_what_has_another_time_is_new_or_has_gone) {
  index();
  fs::last_write_time(path(1), fs::last_write_time(path(1)) + std::chrono::seconds(2));
  fs::remove(path(2));
  put(7, 7);
  EXPECT_EQ(index().pictures.size(), 5U);
  EXPECT_THAT(own_.lines, HasSubstr("5 pictures, 2 of them looked at anew"));
  fs::remove(path(7));
  EXPECT_EQ(index().pictures.size(), 4U);
  EXPECT_THAT(own_.lines, HasSubstr("4 pictures, 0 of them looked at anew"));
}

// An index of millions of pictures is larger than all else that is kept.
TEST_F(FolderIndexTest, is_read_however_large_it_is) {
  index();
  const fs::path kept = fs::directory_iterator(folder_.path() / "cache")->path();
  fs::resize_file(kept, kMostCachedBytes + 1);  // a hole, so that it is damaged
  index();
  EXPECT_THAT(own_.lines, HasSubstr("is not used: the index of"));
  EXPECT_THAT(own_.lines, HasSubstr("5 pictures, 5 of them looked at anew"));
}

TEST_F(FolderIndexTest, a_picture_that_became_another_since_is_refused) {
  const FolderIndex known = index();
  put(3, 99);
  EXPECT_THAT(data_error([&] { read_indexed(known, 3); }), HasSubstr("3.png"));
  EXPECT_EQ(read_indexed(known, 2).pixels, plain(8, 8, 1, 2).pixels);
}

TEST_F(FolderIndexTest, folders_that_lead_back_are_not_followed_for_ever) {
  fs::create_directory_symlink(folder_.path() / "pictures", folder_.path() / "pictures/again");
  EXPECT_FALSE(data_error([&] { index(); }).empty());
}

TEST_F(FolderIndexTest, is_not_read_when_cut_damaged_or_of_another_folder) {
  const Bytes bytes = pack_index(index());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(unpack_index(std::span(bytes).first(n), own_.options.own.path), Error) << n;
    Bytes damaged = bytes;
    damaged[n] ^= std::byte{1};
    EXPECT_THROW(unpack_index(damaged, own_.options.own.path), Error) << n;
  }
  EXPECT_THROW(unpack_index(bytes, "/elsewhere"), Error);
}

}  // namespace
}  // namespace lipizz::data::folder_index_test
