#include "master/resumption.hpp"

#include <gmock/gmock.h>

#include "checkpoint/checked_line.hpp"
#include "checkpoint/saved_cells.hpp"
#include "checkpoint/support.hpp"
#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::master::resumption_test {
namespace {

namespace fs = std::filesystem;
using checkpoint::testing::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t kCells = 2;

config::Experiment small_run() {
  config::Experiment experiment;
  experiment.grid = {1, kCells};
  experiment.generations = 20;
  experiment.compute.numerics = "avx2";
  return experiment;
}

std::string metrics_line(Generation generation, std::uint32_t cell) {
  return checkpoint::checked_line("{\"generation\":" + std::to_string(generation) +
                                  ",\"cell\":" + std::to_string(cell) + "}");
}

// The folder of a run that was ended.
struct Fixture {
  Fixture() {
    fs::create_directories(run);
    write_file(run / "config.json", config::to_json(experiment));
  }

  void save(Generation generation) const {
    checkpoint::CellOrigin origin;
    origin.lineage.configuration = config::lineage_hash(experiment);
    origin.lineage.numerics = experiment.compute.numerics;
    checkpoint::testing::save_generation({run, kCells}, generation, kCells, origin);
  }
  void write_metrics(Generation generations, const std::string& rest = "") const {
    std::string lines;
    for (Generation i = 0; i < generations * kCells; ++i) {
      lines += metrics_line(i / kCells + 1, i % kCells) + "\n";
    }
    write_file(run / "metrics.jsonl", lines + rest);
  }
  Resumption find() const { return find_resumption(run, experiment); }

  TemporaryFolder folder;
  fs::path run = folder / "run";
  config::Experiment experiment = small_run();
};

template <class Expected>
std::string complaint(const fs::path& folder, const config::Experiment& experiment) {
  try {
    find_resumption(folder, experiment);
    return "";
  } catch (const Expected& error) {
    return error.what();
  }
}

TEST(Resumption, goes_on_from_the_newest_generation_that_is_all_there) {
  const Fixture disk;
  for (const Generation generation : {4U, 8U, 12U}) disk.save(generation);
  disk.write_metrics(12);
  const Resumption found = disk.find();
  EXPECT_EQ(found.start, 12U);
  EXPECT_FALSE(found.is_finished);
  EXPECT_THAT(found.notes, ElementsAre("resumed at the end of generation 12 of 20"));
}

TEST(Resumption, a_generation_whose_metrics_are_not_all_there_does_not_count) {
  const Fixture disk;
  for (const Generation generation : {4U, 8U, 12U}) disk.save(generation);
  disk.write_metrics(11, metrics_line(12, 0) + "\n{\"half a");
  const Resumption found = disk.find();
  EXPECT_EQ(found.start, 8U);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("end at generation 11"),
                                       "resumed at the end of generation 8 of 20"));
}

TEST(Resumption, a_damaged_generation_is_passed_over_with_a_note) {
  const Fixture disk;
  disk.save(4);
  disk.save(8);
  disk.write_metrics(8);
  const fs::path file = checkpoint::RunCheckpoints(disk.run, kCells).file(8, {1});
  fs::resize_file(file, 20);
  const Resumption found = disk.find();
  EXPECT_EQ(found.start, 4U);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr(file.string()), HasSubstr("generation 4 of 20")));
}

TEST(Resumption, without_anything_saved_a_run_starts_again) {
  const Fixture disk;
  const Resumption found = disk.find();
  EXPECT_EQ(found.start, 0U);
  EXPECT_FALSE(found.is_finished);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("starts from its seed again")));
}

TEST(Resumption, a_first_generation_that_was_never_whole_is_nothing_to_lose) {
  const Fixture disk;
  disk.save(4);
  fs::remove(checkpoint::RunCheckpoints(disk.run, kCells).file(4, {1}));
  EXPECT_EQ(disk.find().start, 0U);
  EXPECT_FALSE(disk.find().is_begun_again);
}

TEST(Resumption, a_generation_that_the_master_never_knew_to_be_whole_is_nothing_to_lose) {
  const Fixture disk;
  disk.save(4);
  disk.write_metrics(3);
  EXPECT_EQ(disk.find().start, 0U);
  EXPECT_FALSE(disk.find().is_begun_again);
}

// Its complaint, and that the run begins again where that is asked for.
std::string refusal(const Fixture& disk) {
  const Resumption again = find_resumption(disk.run, disk.experiment, Unusable::kBeginAgain);
  EXPECT_EQ(again.start, 0U);
  EXPECT_TRUE(again.is_begun_again);
  EXPECT_THAT(again.notes.back(), HasSubstr("begins again from its seed"));
  const std::string text = complaint<CheckpointError>(disk.run, disk.experiment);
  EXPECT_THAT(text, HasSubstr("lipizz --resume " + disk.run.string() + " --from-seed"));
  return text;
}

TEST(Resumption, one_file_of_each_generation_that_cannot_be_read_is_no_reason_to_begin_again) {
  const Fixture disk;
  const checkpoint::RunCheckpoints files(disk.run, kCells);
  for (const Generation generation : {4U, 8U}) {
    disk.save(generation);
    fs::remove(files.file(generation, {1}));
    fs::create_symlink(files.file(generation, {1}), files.file(generation, {1}));  // to itself
  }
  disk.write_metrics(8);
  const std::string text = refusal(disk);
  for (const Generation generation : {4U, 8U}) {
    EXPECT_THAT(text, HasSubstr(files.file(generation, {1}).string() +
                                ": cannot be read: Too many levels"));
  }
  fs::remove(files.file(4, {1}));
  fs::copy_file(files.file(4, {0}), files.file(4, {1}));
  EXPECT_THAT(refusal(disk), HasSubstr("found generation 4 of cell 0"));
}

TEST(Resumption, nor_is_a_generation_that_is_noted_and_has_gone) {
  const Fixture disk;
  checkpoint::RunCheckpoints(disk.run, kCells).note_saved(4, "{}");
  EXPECT_THAT(refusal(disk), HasSubstr("check that its file system is mounted"));
  disk.save(4);
  disk.write_metrics(4);
  EXPECT_EQ(disk.find().start, 4U);
  fs::remove(checkpoint::RunCheckpoints(disk.run, kCells).file(4, {0}));
  EXPECT_THAT(refusal(disk), HasSubstr("cell-0000.safetensors: expected a file, found none"));
}

TEST(Resumption, nor_are_checkpoints_that_lead_nowhere) {
  const Fixture disk;
  fs::create_symlink("/nowhere/mounted", disk.run / "checkpoints");
  EXPECT_THAT(refusal(disk), HasSubstr((disk.run / "checkpoints").string() + ": cannot be read"));
}

TEST(Resumption, nor_are_lost_metrics) {
  const Fixture disk;
  disk.save(4);
  checkpoint::RunCheckpoints(disk.run, kCells).note_saved(4, "{}");
  EXPECT_THAT(refusal(disk), HasSubstr("the metrics end at generation 0"));
  fs::remove(disk.run / "saved.json");
  fs::create_directory(disk.run / "metrics.jsonl");
  EXPECT_THAT(refusal(disk), HasSubstr("metrics.jsonl: expected a file"));
}

TEST(Resumption, of_many_reasons_some_are_told) {
  const Fixture disk;
  for (Generation generation = 1; generation <= 6; ++generation) disk.save(generation);
  checkpoint::RunCheckpoints(disk.run, kCells).note_saved(6, "{}");
  const std::string text = refusal(disk);
  EXPECT_THAT(text, HasSubstr("generation-000006: "));
  EXPECT_THAT(text, HasSubstr("; and 3 more. "));
}

TEST(Resumption, a_damaged_line_of_metrics_is_told_and_holds_nothing_up) {
  const Fixture disk;
  disk.save(4);
  disk.write_metrics(4);
  std::string lines = checkpoint::testing::read_file(disk.run / "metrics.jsonl");
  lines[5] = '#';
  write_file(disk.run / "metrics.jsonl", lines);
  const Resumption found = disk.find();
  EXPECT_EQ(found.start, 4U);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("metrics.jsonl: line 1 is damaged"),
                                       HasSubstr("generation 4 of 20")));
}

TEST(Resumption, the_folder_becomes_absolute_and_real) {
  const Fixture disk;
  fs::create_directory_symlink(disk.run, disk.folder / "link");
  EXPECT_EQ(find_resumption(disk.folder / "link" / ".." / "link", disk.experiment).folder,
            fs::canonical(disk.run));
}

TEST(Resumption, what_is_no_run_is_refused) {
  const Fixture disk;
  for (const char* name : {"nowhere", "run/config.json", "."}) {
    EXPECT_THAT(complaint<ConfigError>(disk.folder / name, disk.experiment),
                HasSubstr("--resume " + (disk.folder / name).string()));
  }
  fs::remove(disk.run / "config.json");
  fs::create_directory(disk.run / "config.json");
  EXPECT_THAT(complaint<ConfigError>(disk.run, disk.experiment), HasSubstr("config.json"));
}

TEST(Resumption, a_run_that_is_all_done_has_nothing_left) {
  Fixture disk;
  disk.save(20);
  disk.write_metrics(20);
  write_file(disk.run / "result.json", "{}");
  const Resumption finished = disk.find();
  EXPECT_TRUE(finished.is_finished);
  EXPECT_EQ(finished.start, 20U);
  EXPECT_THAT(finished.notes, ElementsAre(HasSubstr("--generations N")));
  disk.experiment.generations = 25;
  const Resumption longer = disk.find();
  EXPECT_FALSE(longer.is_finished);
  EXPECT_EQ(longer.start, 20U);
}

TEST(Resumption, a_run_that_lacks_its_result_alone_still_has_that_to_do) {
  const Fixture disk;
  disk.save(20);
  disk.write_metrics(20);
  EXPECT_FALSE(disk.find().is_finished);
  EXPECT_EQ(disk.find().start, 20U);
}

TEST(Resumption, fewer_generations_than_there_are_is_refused) {
  Fixture disk;
  disk.save(12);
  disk.write_metrics(12);
  disk.experiment.generations = 11;
  EXPECT_THAT(complaint<ConfigError>(disk.run, disk.experiment),
              HasSubstr("already at the end of generation 12"));
  disk.experiment.generations = 12;
  EXPECT_EQ(disk.find().start, 12U);
}

TEST(Resumption, free_settings_may_have_changed_and_no_others) {
  Fixture disk;
  disk.save(12);
  disk.write_metrics(12);
  disk.experiment.generations = 30;
  disk.experiment.comm.heartbeat_s = 0.5;
  disk.experiment.data.dir = "/elsewhere";
  EXPECT_EQ(disk.find().start, 12U);
  disk.experiment.generator.learning_rate = 2e-3;
  EXPECT_THAT(complaint<CheckpointError>(disk.run, disk.experiment), HasSubstr("configuration"));
}

TEST(Resumption, another_numerics_level_is_refused) {
  Fixture disk;
  disk.save(12);
  disk.write_metrics(12);
  config::Experiment other = disk.experiment;
  other.compute.numerics = "avx512";
  EXPECT_NE(complaint<CheckpointError>(disk.run, other), "");
}

}  // namespace
}  // namespace lipizz::master::resumption_test
