#include "checkpoint/run_checkpoints.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "checkpoint/saved_cells.hpp"
#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint::run_checkpoints_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kCells = 3;
const CellOrigin kThisRun{{}, 0, {0xabcU, "avx2", 7, 0}};
const Generation kAny = 1'000'000;

struct Fixture {
  Fixture() { fs::create_directory(folder / "run"); }
  void save(Generation generation, const CellOrigin& origin = kThisRun) const {
    testing::save_generation(run, generation, kCells, origin);
  }
  RunCheckpoints::Found newest(Generation last = kAny) const {
    return run.newest_complete(last, kThisRun.lineage);
  }
  std::string complaint() const {
    try {
      newest();
      return "";
    } catch (const CheckpointError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder;
  RunCheckpoints run{folder / "run", kCells};
};

TEST(RunCheckpoints, files_are_found_by_generation_and_cell) {
  const RunCheckpoints run("/runs/a", 4);
  EXPECT_EQ(run.file(20, {3}), "/runs/a/checkpoints/generation-000020/cell-0003.safetensors");
  EXPECT_EQ(run.file(1'000'000, {12'345}),
            "/runs/a/checkpoints/generation-1000000/cell-12345.safetensors");
}

TEST(RunCheckpoints, where_nothing_is_saved_a_run_starts_from_its_seed) {
  const Fixture disk;
  EXPECT_EQ(disk.newest().generation, 0U);
  EXPECT_THAT(disk.newest().skipped, IsEmpty());
  fs::create_directories(disk.folder / "run/checkpoints");
  EXPECT_EQ(disk.newest().generation, 0U);
  EXPECT_FALSE(disk.newest().was_saved);
}

TEST(RunCheckpoints, a_folder_of_a_run_that_has_gone_is_not_made_again) {
  const Fixture disk;
  fs::remove(disk.folder / "run");
  EXPECT_THROW(disk.run.prepare(7), CheckpointError);
  EXPECT_THROW(disk.run.note_saved(7, "{}"), CheckpointError);
  EXPECT_FALSE(fs::exists(disk.folder / "run"));
}

TEST(RunCheckpoints, a_note_gives_back_the_experiment) {
  const Fixture disk;
  EXPECT_EQ(disk.run.noted_experiment(), std::nullopt);
  disk.run.note_saved(7, "{\"seed\": 3}\n");
  EXPECT_EQ(disk.run.noted_experiment(), "{\"seed\": 3}\n");
  for (const char* other : {"", "{\"generation\":7}\n", "{\"generation\":7,\"experiment\":{"}) {
    testing::write_file(disk.folder / "run/saved.json", other);
    EXPECT_EQ(disk.run.noted_experiment(), std::nullopt) << other;
  }
}

TEST(RunCheckpoints, a_noted_generation_is_something_to_lose_wherever_it_is) {
  const Fixture disk;
  disk.run.note_saved(7, "{}");
  EXPECT_TRUE(disk.newest().was_saved);
  EXPECT_THAT(disk.newest().skipped, ElementsAre(HasSubstr("saved.json")));
  EXPECT_EQ(testing::read_file(disk.folder / "run/saved.json"),
            "{\"generation\":7,\"experiment\":{}}\n");
}

TEST(RunCheckpoints, any_number_of_processes_may_prepare_a_generation) {
  const Fixture disk;
  disk.run.prepare(7);
  disk.run.prepare(7);
  EXPECT_TRUE(fs::is_directory(disk.run.file(7, {0}).parent_path()));
  testing::write_file(disk.folder / "run/checkpoints/generation-000008", "in the way");
  try {
    disk.run.prepare(8);
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr("generation-000008"));
  }
}

TEST(RunCheckpoints, the_newest_complete_generation_is_found) {
  const Fixture disk;
  for (const Generation generation : {5U, 1'000'000U, 40U, 999'999U}) disk.save(generation);
  EXPECT_EQ(disk.newest().generation, 1'000'000U) << "by number, not by name";
  EXPECT_THAT(disk.newest().skipped, IsEmpty());
}

TEST(RunCheckpoints, the_newest_with_all_files_is_found_without_reading_them) {
  const Fixture disk;
  EXPECT_EQ(disk.run.newest_with_all_files(), 0U);
  disk.save(5);
  disk.save(40);
  testing::write_file(disk.run.file(40, {0}), "damaged");
  EXPECT_EQ(disk.run.newest_with_all_files(), 40U);
  fs::remove(disk.run.file(40, {kCells - 1}));
  EXPECT_EQ(disk.run.newest_with_all_files(), 5U);
}

TEST(RunCheckpoints, a_generation_beyond_the_last_is_skipped_and_said_so) {
  const Fixture disk;
  for (const Generation generation : {5U, 10U, 15U}) disk.save(generation);
  EXPECT_EQ(disk.newest(15).generation, 15U);
  const auto found = disk.newest(14);
  EXPECT_EQ(found.generation, 10U);
  EXPECT_THAT(found.skipped, ElementsAre(AllOf(HasSubstr("generation-000015"),
                                               HasSubstr("end at generation 14"))));
  EXPECT_EQ(disk.newest(4).generation, 0U);
  EXPECT_EQ(disk.newest(4).skipped.size(), 3U);
}

// Damages the last cell's file of generation 10: generation 5 is found, and why.
void expect_skipped(const std::function<void(const Fixture&, const fs::path&)>& damage,
                    const std::string& reason) {
  const Fixture disk;
  disk.save(5);
  disk.save(10);
  const fs::path file = disk.run.file(10, {kCells - 1});
  damage(disk, file);
  const auto found = disk.newest();
  EXPECT_EQ(found.generation, 5U) << reason;
  EXPECT_TRUE(found.was_saved);
  EXPECT_THAT(found.skipped, ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr(reason))));
}

TEST(RunCheckpoints, a_generation_that_lacks_a_file_is_skipped) {
  expect_skipped([](const Fixture&, const fs::path& file) { fs::remove(file); }, "found none");
}

TEST(RunCheckpoints, so_is_one_with_a_file_that_was_cut) {
  expect_skipped(
      [](const Fixture&, const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 1); },
      "expected 12 bytes of data, found 11");
  expect_skipped([](const Fixture&, const fs::path& file) { fs::resize_file(file, 0); },
                 "more bytes, found 0");
}

TEST(RunCheckpoints, or_with_one_flipped_bit) {
  expect_skipped(
      [](const Fixture&, const fs::path& file) {
        std::string bytes = testing::read_file(file);
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        testing::write_file(file, bytes);
      },
      "expected hash");
}

TEST(RunCheckpoints, or_with_the_file_of_another_cell_or_generation) {
  expect_skipped(
      [](const Fixture& disk, const fs::path& file) {
        fs::copy_file(disk.run.file(10, {0}), file, fs::copy_options::overwrite_existing);
      },
      "expected generation 10 of cell 2, found generation 10 of cell 0");
  expect_skipped(
      [](const Fixture& disk, const fs::path& file) {
        fs::copy_file(disk.run.file(5, {2}), file, fs::copy_options::overwrite_existing);
      },
      "expected generation 10 of cell 2, found generation 5 of cell 2");
}

TEST(RunCheckpoints, or_with_a_file_that_is_no_cell) {
  expect_skipped(
      [](const Fixture&, const fs::path& file) {
        const std::uint8_t byte = 1;
        const TensorView tensor{"x", DType::kU8, {1}, std::as_bytes(std::span(&byte, 1))};
        write_tensors(file, {&tensor, 1}, {});
      },
      "\"format\"");
}

TEST(RunCheckpoints, a_run_of_more_cells_than_were_saved_is_not_complete) {
  const Fixture disk;
  disk.save(5);
  EXPECT_EQ(RunCheckpoints(disk.folder / "run", kCells + 1)
                .newest_complete(kAny, kThisRun.lineage)
                .generation,
            0U);
}

TEST(RunCheckpoints, checkpoints_that_cannot_be_listed_are_something_to_lose) {
  const Fixture disk;
  testing::write_file(disk.folder / "run/checkpoints", "in the way");
  EXPECT_TRUE(disk.newest().was_saved);
  EXPECT_THAT(disk.newest().skipped, ElementsAre(HasSubstr("cannot be read: Not a directory")));
  EXPECT_THROW(disk.run.remove_before(5), CheckpointError);
}

TEST(RunCheckpoints, files_of_another_configuration_end_it_and_say_why) {
  const Fixture disk;
  CellOrigin other = kThisRun;
  other.lineage.configuration = 0xdefU;
  disk.save(5);
  disk.save(10, other);
  EXPECT_THAT(disk.complaint(),
              AllOf(HasSubstr(disk.run.file(10, {0}).string()), HasSubstr("configuration"),
                    HasSubstr("0000000000000def"), HasSubstr("0000000000000abc")));
}

TEST(RunCheckpoints, one_cell_of_another_configuration_is_enough) {
  const Fixture disk;
  disk.save(10);
  CellOrigin other = kThisRun;
  other.lineage.configuration = 0xdefU;
  other.generation = 10;
  other.cell = {kCells - 1};
  testing::save_cell(disk.run, other);
  EXPECT_THAT(disk.complaint(), HasSubstr(disk.run.file(10, {kCells - 1}).string()));
}

TEST(RunCheckpoints, files_of_another_numerics_level_end_it_and_say_why) {
  const Fixture disk;
  CellOrigin other = kThisRun;
  other.lineage.numerics = "avx512";
  disk.save(10, other);
  EXPECT_THAT(disk.complaint(),
              AllOf(HasSubstr("numerics level avx512"), HasSubstr("this one has avx2")));
}

TEST(RunCheckpoints, the_dataset_is_not_looked_at) {
  const Fixture disk;
  CellOrigin other = kThisRun;
  other.lineage.dataset = 8;
  disk.save(10, other);
  EXPECT_EQ(disk.newest().generation, 10U);
}

TEST(RunCheckpoints, what_is_older_goes_and_what_is_newer_stays) {
  const Fixture disk;
  for (const Generation generation : {5U, 10U, 15U}) disk.save(generation);
  disk.run.remove_before(10);
  EXPECT_FALSE(fs::exists(disk.run.file(5, {0}).parent_path()));
  EXPECT_EQ(disk.newest(10).generation, 10U);
  EXPECT_EQ(disk.newest().generation, 15U);
  disk.run.remove_before(0);
  EXPECT_EQ(disk.newest(10).generation, 10U);
}

TEST(RunCheckpoints, removing_where_nothing_is_does_nothing) {
  EXPECT_NO_THROW(Fixture().run.remove_before(10));
}

TEST(RunCheckpoints, names_that_are_not_ours_are_left_alone) {
  const Fixture disk;
  disk.save(5);
  const fs::path checkpoints = disk.folder / "run/checkpoints";
  for (const char* name : {"generation-", "generation-x", "generation-000009x", "generation--9",
                           "Generation-000009", "notes", "generation-99999999999"}) {
    fs::create_directory(checkpoints / name);
  }
  testing::write_file(checkpoints / "generation-9.txt", "mine");
  const auto found = disk.newest();
  EXPECT_EQ(found.generation, 5U);
  EXPECT_THAT(found.skipped, IsEmpty());
  disk.run.remove_before(5);
  EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints), {}), 9);
}

}  // namespace
}  // namespace lipizz::checkpoint::run_checkpoints_test
