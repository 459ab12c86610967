#include "master/folder_guard.hpp"

#include <gmock/gmock.h>

#include <optional>

#include "checkpoint/saved_cells.hpp"
#include "checkpoint/support.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master::folder_guard_test {
namespace {

namespace fs = std::filesystem;
using checkpoint::testing::read_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// In the folder of a run that has come to the end of generation 3.
class FolderGuardTest : public MachineTest {
 protected:
  FolderGuardTest() {
    run_plan_.experiment = config::to_json(experiment_);
    run_plan_.output_dir = run_.string();
    fs::create_directory(run_);
    write_file(run_ / "config.json", run_plan_.experiment);
    metrics_.emplace(run_ / "metrics.jsonl", 2, 0);
    for (Generation generation = 1; generation <= 3; ++generation) {
      for (const std::uint32_t cell : {0U, 1U}) metrics_->add(line(cell, generation));
    }
    guard_.emplace(run_plan_, experiment_, *metrics_);
  }

  static comm::Metrics line(std::uint32_t cell, Generation generation) {
    return {.cell = {cell},
            .generation = generation,
            .score = 1,
            .line = "{\"generation\":" + std::to_string(generation) +
                    ",\"cell\":" + std::to_string(cell) + "}"};
  }
  static void write_file(const fs::path& path, const std::string& text) {
    checkpoint::testing::write_file(path, text);
  }

  // As workers do once they are asked to stop.
  void save_cells() const {
    checkpoint::CellOrigin origin;
    origin.lineage.configuration = config::lineage_hash(experiment_);
    origin.lineage.numerics = experiment_.compute.numerics;
    checkpoint::testing::save_generation({guard_->present(), 2}, 3, 2, origin);
  }
  std::string told() const {
    try {
      guard_->tell_loss();
      return "";
    } catch (const CheckpointError& error) {
      return error.what();
    }
  }

  fs::path run_ = folder_ / "run";
  std::optional<MetricsLog> metrics_;
  std::optional<FolderGuard> guard_;
};

TEST_F(FolderGuardTest, has_nothing_to_tell_while_all_is_in_its_place) {
  save_cells();
  EXPECT_EQ(guard_->loss(), "");
  EXPECT_EQ(guard_->present(), run_);
  EXPECT_EQ(told(), "");
}

TEST_F(FolderGuardTest, a_renamed_folder_has_all_that_a_resume_needs) {
  const std::string moved = (fs::canonical(folder_) / "moved").string();
  fs::rename(run_, moved);
  EXPECT_EQ(guard_->loss(), "the run's folder " + run_.string() + " was renamed to " + moved);
  save_cells();
  EXPECT_THAT(told(), AllOf(StartsWith(guard_->loss() + " while the run went on; "),
                            HasSubstr("generation 3 of 4 is saved in " + moved),
                            HasSubstr("lipizz --resume " + moved)));
  EXPECT_FALSE(fs::exists(run_));
}

TEST_F(FolderGuardTest, of_a_removed_one_all_is_brought_beside_its_place) {
  fs::remove_all(run_);
  EXPECT_EQ(guard_->loss(), "the run's folder " + run_.string() + " was removed");
  save_cells();
  EXPECT_THAT(told(),
              AllOf(HasSubstr("was removed while the run went on"),
                    HasSubstr("generation 3 of 4 is saved in " + run_.string() + "-rescued-")));
  const fs::path rescue = guard_->present();
  EXPECT_EQ(read_file(rescue / "config.json"), run_plan_.experiment);
  EXPECT_EQ(read_file(rescue / "metrics.jsonl"), metrics_->file().content());
  EXPECT_FALSE(fs::exists(run_));
}

TEST_F(FolderGuardTest, somebody_else_s_folder_in_its_place_is_not_touched) {
  fs::rename(run_, folder_ / "moved");
  fs::create_directory(run_);
  write_file(run_ / "config.json", "precious");
  save_cells();
  EXPECT_THAT(told(), HasSubstr("was renamed to"));
  EXPECT_EQ(read_file(run_ / "config.json"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(run_), {}), 1);
}

TEST_F(FolderGuardTest, one_that_is_emptied_is_filled_again) {
  for (const char* name : {"config.json", "metrics.jsonl"}) {
    fs::remove(run_ / name);
    EXPECT_THAT(guard_->loss(), HasSubstr("was emptied")) << name;
  }
  save_cells();
  EXPECT_THAT(told(), HasSubstr("generation 3 of 4 is saved in " + fs::canonical(run_).string()));
  EXPECT_EQ(guard_->loss(), "");
}

TEST_F(FolderGuardTest, where_nothing_can_be_saved_it_says_so) {
  fs::remove_all(folder_);
  EXPECT_THAT(told(), HasSubstr("nothing of it could be saved: cannot make the folder"));
}

TEST_F(FolderGuardTest, cells_that_could_not_be_saved_are_not_claimed_to_be) {
  fs::remove_all(run_);
  EXPECT_THAT(told(), HasSubstr("no generation of it is saved"));
}

}  // namespace
}  // namespace lipizz::master::folder_guard_test
