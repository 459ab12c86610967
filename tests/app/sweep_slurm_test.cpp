#include "app/sweep_slurm.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::sweep_slurm_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A folder with programs that play Slurm, the first place where programs are looked for.
class SlurmScript : public ::testing::Test {
 protected:
  SlurmScript() { setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1); }
  ~SlurmScript() override { setenv("PATH", path_.c_str(), 1); }

  void program(const std::string& name, const std::string& script) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  int run(const std::string& script) {
    std::ofstream(folder_ / "script") << script;
    return std::system(("bash " + (folder_ / "script").string()).c_str()) >> 8;
  }
  std::string content(const std::string& name) {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  SweepArray array() {
    return {.name = "a",
            .program = folder_ / "lipizz",
            .file = "/a sweep/file.json",
            .folder = "/runs/a",
            .n_tasks = 3,
            .n_cores = 8,
            .n_jobs = 2};
  }

  TemporaryFolder folder_;
  std::string path_ = std::getenv("PATH");
};

TEST_F(SlurmScript, asks_for_what_the_tasks_need) {
  const std::string script = slurm_script(array());
  EXPECT_THAT(script, HasSubstr("#SBATCH --array=1-3\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --cpus-per-task=8\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --output=\"/runs/a/slurm-%A-%a.log\"\n"));
}

TEST_F(SlurmScript, trains_the_sweep) {
  program("lipizz", "printf '%s|' \"$@\" > " + (folder_ / "arguments").string());
  program("scontrol", "echo \"$@\" > " + (folder_ / "requeued").string());
  EXPECT_EQ(run(slurm_script(array())), 0);
  EXPECT_EQ(content("arguments"),
            "sweep|run|/a sweep/file.json|--output|/runs/a|--jobs|2|--leave-rest|");
  EXPECT_FALSE(fs::exists(folder_ / "requeued"));
}

TEST_F(SlurmScript, logs_go_into_a_folder_of_any_name_that_sbatch_takes) {
  SweepArray odd = array();
  odd.folder = "/two words/50%, it's #1";
  EXPECT_THAT(slurm_script(odd),
              HasSubstr("#SBATCH --output=\"/two words/50%%, it's #1/slurm-%A-%a.log\"\n"));
  for (const char* folder : {"/a\"b", "/a\\b", "/a\nb"}) {
    odd.folder = folder;
    EXPECT_THROW(slurm_script(odd), ConfigError) << folder;
  }
}

TEST_F(SlurmScript, goes_back_to_the_queue_when_something_is_left) {
  program("lipizz", "exit 75");
  program("scontrol", "echo \"$@\" > " + (folder_ / "requeued").string());
  setenv("SLURM_ARRAY_JOB_ID", "7", 1);
  setenv("SLURM_ARRAY_TASK_ID", "2", 1);
  EXPECT_EQ(run(slurm_script(array())), 75);
  EXPECT_EQ(content("requeued"), "requeue 7_2\n");
  unsetenv("SLURM_ARRAY_JOB_ID");
  unsetenv("SLURM_ARRAY_TASK_ID");
}

TEST_F(SlurmScript, is_given_to_sbatch_with_its_options) {
  program("sbatch", "printf '%s|' \"$@\" > " + (folder_ / "arguments").string() + "; echo 4711");
  EXPECT_EQ(submit("/runs/a/array.sbatch", {"--time=1:00:00", "--comment=two words"}), "4711");
  EXPECT_EQ(content("arguments"),
            "--parsable|--time=1:00:00|--comment=two words|/runs/a/array.sbatch|");
}

TEST_F(SlurmScript, that_sbatch_refuses_is_an_error) {
  program("sbatch", "exit 1");
  EXPECT_THROW(submit("/runs/a/array.sbatch", {}), ConfigError);
}

TEST(ShellWord, is_one_word) {
  EXPECT_EQ(shell_word("plain"), "'plain'");
  EXPECT_EQ(shell_word("it's two words"), "'it'\\''s two words'");
}

}  // namespace
}  // namespace lipizz::app::sweep_slurm_test
