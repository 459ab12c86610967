#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/json.hpp"
#include "core/error.hpp"
#include "setup/setting_rules.hpp"

namespace lipizz::setup::invalid_test {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(LIPIZZ_SOURCE_DIR) / "tests/setup/invalid";

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string message_for(const std::filesystem::path& file) {
  config::Experiment experiment;
  try {
    config::apply_json(contents(file), file.filename().string(), experiment);
    check_settings(experiment);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

// Each invalid/X.json gives the message in invalid/X.txt.
TEST(Invalid, every_broken_file_gives_its_message) {
  int n_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".json") continue;
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".txt");
    EXPECT_EQ(message_for(entry.path()) + "\n", contents(expected)) << entry.path();
    ++n_files;
  }
  EXPECT_GE(n_files, 20);
}

}  // namespace
}  // namespace lipizz::setup::invalid_test
