#include "app/doctor_command.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "support/temporary_folder.hpp"

namespace lipizz::app::doctor_command_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(DoctorCommand, reports_on_this_machine) {
  const TemporaryFolder folder;
  std::ostringstream out;
  const std::vector<std::string> arguments{
      "doctor", "--grid", "3x3", "--dataset", "mnist", "--data-dir", folder.path().string()};
  EXPECT_EQ(doctor_command(parse_command_line(arguments), out), 2) << "MNIST is not there";
  const std::string report = out.str();
  EXPECT_THAT(report, StartsWith("MPI "));
  EXPECT_THAT(report, HasSubstr("a 3x3 grid has 10 ranks"));
  EXPECT_THAT(report, HasSubstr("\nmnist          problem  "));
  for (const char* subject : {"mpirun", "scheduler", "processor", "load", "memory", "GPUs",
                              "cifar10", "cache", "runs", "TMPDIR", "shared memory", "terminal"}) {
    EXPECT_THAT(report, HasSubstr("\n" + std::string(subject) + " ")) << subject;
  }
  EXPECT_THAT(report, Not(HasSubstr("\nsettings ")));
}

TEST(DoctorCommand, tells_of_settings_that_no_run_can_have) {
  for (const char* name : {"generator.loss", "convolution_table"}) {
    std::ostringstream out;
    const std::vector<std::string> arguments{"doctor", "--dataset", "ring8", "--set",
                                             std::string(name) + "=/nonexistent"};
    EXPECT_EQ(doctor_command(parse_command_line(arguments), out), 2);
    EXPECT_THAT(out.str(), ContainsRegex("\nsettings +problem  "));
    EXPECT_THAT(out.str(), HasSubstr("/nonexistent"));
    EXPECT_THAT(out.str(), HasSubstr("\nmemory "));
  }
}

}  // namespace
}  // namespace lipizz::app::doctor_command_test
