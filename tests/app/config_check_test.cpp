#include "app/config_check.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::app::config_check_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ConfigCheck : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }

  fs::path with(const std::string& json) const {
    std::ofstream(file_) << json;
    return file_;
  }

  std::string complaint(const std::string& json) const {
    try {
      check_config_file(with(json));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "valid";
  }

  const fs::path file_ = fs::path(::testing::TempDir()) / "lipizz_config_check_test.json";
  const std::string name_ = file_.string() + ": ";
};

TEST_F(ConfigCheck, tells_what_a_valid_file_describes) {
  EXPECT_EQ(check_config_file(with(R"({"data": {"dataset": "ring8"}})")),
            name_ + "valid, 2x2 cells for 20 generations on ring8\n");
}

TEST_F(ConfigCheck, every_error_names_the_file) {
  EXPECT_EQ(complaint(R"({"generator": {"loss": "BCE"}})"),
            name_ + "generator.loss: there is no \"BCE\"; did you mean \"bce\"?");
  EXPECT_THAT(complaint(R"({"selection": {"kind": "truncation", "size": 3}})"),
              StartsWith(name_ + "selection.size: truncation has no parameter \"size\""));
  EXPECT_THAT(complaint(R"({"sed": 3})"), StartsWith(name_ + "there is no setting \"sed\""));
}

TEST_F(ConfigCheck, refuses_what_every_run_would_refuse) {
  EXPECT_EQ(complaint(R"({"convolution_table": "/nowhere"})"),
            name_ + "there is no convolution table file /nowhere");
  EXPECT_THAT(complaint(R"({"convolution_table_hash": "zzz"})"),
              StartsWith(name_ + "convolution_table: expected the table with hash zzz"));
  EXPECT_THAT(complaint(R"({"precision": "tf32"})"), HasSubstr(": precision: "));
  EXPECT_EQ(complaint(R"({"precision": "bf16"})"), "valid") << "of a processor that has it";
  EXPECT_EQ(complaint(R"({"precision": "bf16", "device": "cuda"})"), "valid");
  EXPECT_THAT(complaint(R"({"precision": "bf16", "engine": "reference"})"),
              HasSubstr("bf16 needs"));
  EXPECT_THAT(complaint(R"({"precision": "bf16", "numerics": "avx2"})"), HasSubstr("bf16 needs"));
  EXPECT_THAT(complaint(R"({"data": {"batch_size": 60001}})"),
              StartsWith(name_ + "data.batch_size: expected at most the 60000 training samples"));
}

TEST_F(ConfigCheck, names_the_file_of_settings_that_are_wrong_in_it) {
  config::Experiment experiment;
  const fs::path file = with(R"({"generator": {"loss": "bse"}})");
  config::apply_file(file, experiment);
  const auto complaint_with = [&](const fs::path& named) -> std::string {
    try {
      validate_naming(experiment, named);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "valid";
  };
  const std::string problem = "generator.loss: there is no \"bse\"; did you mean \"bce\"?";
  EXPECT_EQ(complaint_with(file), name_ + problem);
  EXPECT_EQ(complaint_with({}), problem);
  EXPECT_EQ(complaint_with(with("{}")), problem);
}

}  // namespace
}  // namespace lipizz::app::config_check_test
