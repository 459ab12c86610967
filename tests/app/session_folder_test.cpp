#include "app/session_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "core/error.hpp"

namespace lipizz::app::session_folder_test {
namespace {

TEST(SessionFolder, is_there_for_its_files_and_gone_with_them) {
  std::filesystem::path path;
  {
    const SessionFolder session;
    const SessionFolder other;
    path = session.path();
    EXPECT_NE(path, other.path());
    std::ofstream(session.exit_code_file()) << 3;
    EXPECT_TRUE(std::filesystem::is_regular_file(session.exit_code_file()));
    EXPECT_EQ(session.uri_file().parent_path(), path);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

std::string complaint_with(const std::string& temporary_folder) {
  setenv("TMPDIR", temporary_folder.c_str(), 1);
  std::string message = "made";
  try {
    const SessionFolder session;
  } catch (const ConfigError& error) {
    message = error.what();
  }
  unsetenv("TMPDIR");
  return message;
}

TEST(SessionFolder, where_none_can_be_made_TMPDIR_is_named) {
  EXPECT_EQ(complaint_with("/nowhere"),
            "launch: cannot make a folder in /nowhere: No such file or directory; name one that "
            "can be written to in the environment's TMPDIR");
  EXPECT_THAT(
      complaint_with("/dev/null"),
      ::testing::StartsWith("launch: cannot make a folder in /dev/null: it is no folder; "));
  // Not even root can make a folder there.
  EXPECT_THAT(complaint_with("/proc"),
              ::testing::StartsWith("launch: cannot make a folder in /proc: No such file or"));
  EXPECT_EQ(complaint_with(""), "made");
}

}  // namespace
}  // namespace lipizz::app::session_folder_test
