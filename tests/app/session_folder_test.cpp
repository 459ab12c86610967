#include "app/session_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace lipizz::app {
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

}  // namespace
}  // namespace lipizz::app
