#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lipizz::setup {

/// A folder that stands for the root of a system, with files as its kernel would have them.
class SystemFiles : public ::testing::Test {
 protected:
  SystemFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "lipizz-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~SystemFiles() override { std::filesystem::remove_all(root_); }

  void write(const std::filesystem::path& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  std::filesystem::path root_;
};

}  // namespace lipizz::setup
