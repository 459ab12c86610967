#include "worker/cell_snapshot.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "checkpoint/support.hpp"
#include "coev/cell.hpp"
#include "coev/support.hpp"
#include "core/error.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker::cell_snapshot_test {
namespace {

namespace fs = std::filesystem;

const checkpoint::CellOrigin kOrigin{
    .cell = {1},
    .generation = 3,
    .lineage = {.configuration = 1, .numerics = "baseline", .dataset = 7, .judge = 5}};

struct Fixture {
  Fixture() { cell.generation = kOrigin.generation; }
  [[nodiscard]] CellSnapshot snapshot() const { return {settings, cell, kOrigin}; }
  [[nodiscard]] Bytes expected() const { return encode_cell(*settings, cell, kOrigin); }

  std::shared_ptr<const coev::Settings> settings =
      std::make_shared<const coev::Settings>(coev::testing::tiny_settings());
  coev::Cell cell = coev::make_cell(*settings, kOrigin.cell);
  TemporaryFolder folder;
};

Bytes content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(CellSnapshot, of_an_own_cell_has_the_bytes_and_the_file_of_its_state) {
  const Fixture own;
  const CellSnapshot snapshot = own.snapshot();
  EXPECT_EQ(snapshot.bytes(), own.expected());
  snapshot.write(own.folder / "cell");
  EXPECT_EQ(content_of(own.folder / "cell"), own.expected());
}

TEST(CellSnapshot, shares_the_networks_of_the_cell_until_that_trains_on) {
  Fixture own;
  const Bytes expected = own.expected();
  const float* const before = own.cell.centre.generator.parameters.data();
  {
    const CellSnapshot snapshot = own.snapshot();
    own.cell.centre.generator.parameters.writable()[0] += 1;
    EXPECT_NE(own.cell.centre.generator.parameters.data(), before);
    EXPECT_EQ(snapshot.bytes(), expected);
  }
  const float* const after = own.cell.centre.generator.parameters.data();
  own.cell.centre.generator.parameters.writable()[0] += 1;
  EXPECT_EQ(own.cell.centre.generator.parameters.data(), after) << "nobody shares it any more";
}

TEST(CellSnapshot, of_another_workers_cell_has_the_bytes_that_came) {
  const TemporaryFolder folder;
  const CellSnapshot snapshot(Bytes(3, std::byte{7}));
  EXPECT_EQ(snapshot.bytes(), Bytes(3, std::byte{7}));
  snapshot.write(folder / "cell");
  EXPECT_EQ(content_of(folder / "cell"), Bytes(3, std::byte{7}));
}

TEST(CellSnapshot, that_cannot_be_written_says_where) {
  const Fixture own;
  EXPECT_THROW(own.snapshot().write(own.folder / "nowhere" / "cell"), CheckpointError);
}

}  // namespace
}  // namespace lipizz::worker::cell_snapshot_test
