#include "data/files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/support.hpp"

namespace lipizz::data::files_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DatasetFolder, lies_in_the_data_dir_which_must_be_given) {
  EXPECT_EQ(dataset_folder("mnist", {"/data", 0}), "/data/mnist");
  EXPECT_THAT(data_error([] { dataset_folder("mnist", {}); }),
              AllOf(HasSubstr("dataset mnist"), HasSubstr("no folder is given"),
                    HasSubstr("--data-dir"), HasSubstr("scripts/fetch-data.sh")));
}

TEST(OpenFile, names_what_is_missing_or_a_folder) {
  const TemporaryFolder folder;
  EXPECT_THAT(data_error([&] { open_file(folder.path() / "a.bin"); }),
              AllOf(HasSubstr("a.bin"), HasSubstr("No such file"), HasSubstr("--data-dir")));
  EXPECT_THAT(data_error([&] { open_file(folder.path()); }), HasSubstr("Is a directory"));
}

TEST(OpenFile, names_the_command_that_downloads_it) {
  const auto complaint = [](const char* path) { return data_error([&] { open_file(path); }); };
  EXPECT_THAT(complaint("/nowhere/mnist/a.gz"),
              ::testing::EndsWith("or download them with scripts/fetch-data.sh /nowhere mnist"));
  EXPECT_THAT(complaint("/nowhere/facades/train/a.jpg"),
              ::testing::EndsWith("scripts/fetch-data.sh /nowhere facades"));
  EXPECT_THAT(complaint("cifar10/a.bin"), ::testing::EndsWith("scripts/fetch-data.sh . cifar10"));
  EXPECT_THAT(complaint("/nowhere/a.gz"), ::testing::EndsWith("scripts/fetch-data.sh FOLDER NAME"));
}

TEST(OpenFile, tells_of_a_folder_too_deep) {
  EXPECT_THAT(
      data_error([] { open_file("/nowhere/mnist/mnist/a.gz"); }),
      ::testing::EndsWith("the folder of the datasets is the one above: --data-dir /nowhere"));
}

TEST(OpenFile, tells_of_one_that_is_not_compressed) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "mnist/train-images-idx3-ubyte").string();
  write_file(path, {});
  EXPECT_THAT(
      data_error([&] { open_file(path + ".gz"); }),
      ::testing::EndsWith("train-images-idx3-ubyte beside it is not compressed: type `gzip -k " +
                          path + "`"));
}

TEST(OpenFile, that_may_not_be_read_needs_no_download) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.bin";
  write_file(path, {1});
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_THAT(data_error([&] { open_file(path); }),
              ::testing::EndsWith("a.bin: Permission denied; it and all folders above it must be "
                                  "readable to this user"));
}

TEST(ReadFile, gives_the_whole_content_up_to_a_bound) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.bin";
  write_file(path, {1, 2, 0, 3});
  EXPECT_THAT(read_file(path, 4), ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(data_error([&] { read_file(path, 3); }),
              AllOf(HasSubstr("a.bin"), HasSubstr("expected at most 3 bytes, found 4")));
}

// Opening a pipe that nobody writes to would never end.
TEST(OpenFile, opens_no_pipe) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(data_error([&] { open_file(pipe); }),
              AllOf(HasSubstr(pipe), HasSubstr("it is no regular file")));
}

TEST(ListFiles, are_those_of_the_extension_by_name) {
  const TemporaryFolder folder;
  for (const char* name : {"b.jpg", "SHA256SUMS", "a.jpg", "10.jpg", "c.png"}) {
    write_file(folder.path() / name, {});
  }
  std::vector<std::string> names;
  for (const auto& path : list_files(folder.path(), ".jpg")) names.push_back(path.filename());
  EXPECT_THAT(names, ElementsAre("10.jpg", "a.jpg", "b.jpg"));
}

TEST(ListFiles, there_is_at_least_one) {
  const TemporaryFolder folder;
  EXPECT_THAT(data_error([&] { list_files(folder.path(), ".jpg"); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("it holds no *.jpg")));
  EXPECT_THAT(data_error([&] { list_files(folder.path() / "none", ".jpg"); }),
              AllOf(HasSubstr("none"), HasSubstr("No such file")));
}

TEST(RefuseFile, says_how_to_get_a_good_one) {
  EXPECT_THAT(data_error([] { refuse_file("/data/a.bin", "it is blue"); }),
              AllOf(HasSubstr("/data/a.bin: it is blue"), HasSubstr("scripts/fetch-data.sh")));
}

}  // namespace
}  // namespace lipizz::data::files_test
