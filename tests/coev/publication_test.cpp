#include "coev/publication.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coev/support.hpp"
#include "core/error.hpp"

namespace lipizz::coev::publication_test {
namespace {

using ::testing::HasSubstr;

Cell cell_of_generation(const Settings& settings, Generation generation) {
  Cell cell = make_cell(settings, {3});
  cell.generation = generation;
  return cell;
}

TEST(Publication, begins_with_its_title) {
  const Settings settings = testing::tiny_settings();
  const Bytes bytes = write_publication(cell_of_generation(settings, 7), settings);
  EXPECT_EQ(read_title(bytes), (PublicationTitle{{3}, 7}));
  EXPECT_EQ(to_string(read_title(bytes)), "publication 7 of cell 3");
  EXPECT_THROW(read_title(std::span(bytes).first(7)), CommError);
}

TEST(Publication, gives_both_networks_back) {
  const Settings settings = testing::tiny_settings();
  const Cell cell = cell_of_generation(settings, 7);
  Pair pair;
  read_publication(write_publication(cell, settings), genome_shapes(settings), pair);
  EXPECT_EQ(pair, cell.centre);
}

TEST(Publication, of_another_cell_or_generation_is_refused_by_both_titles) {
  const Settings settings = testing::tiny_settings();
  const Bytes bytes = write_publication(cell_of_generation(settings, 7), settings);
  for (const PublicationTitle expected : {PublicationTitle{{4}, 7}, {{3}, 8}}) {
    try {
      expect_title(bytes, expected);
      FAIL();
    } catch (const CommError& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected " + to_string(expected)));
      EXPECT_THAT(error.what(), HasSubstr("found publication 7 of cell 3"));
    }
  }
}

TEST(Publication, holds_what_the_migration_says) {
  Settings settings = testing::tiny_settings();
  const Cell cell = make_cell(settings, {0});
  settings.operators.migration = kParametersMigration;
  const std::size_t without = write_publication(cell, settings).size();
  settings.operators.migration = kGenomesMigration;
  // Two moments of 32 parameters each for both networks (2 * 6 + 6 + 6 + 1 = 25, padded), counted.
  EXPECT_EQ(write_publication(cell, settings).size(), without + 2 * (8 + 2 * 32 * sizeof(float)));
}

// Buffers that grow are copied, and at their largest need twice the memory.
TEST(Publication, is_written_into_room_that_was_measured) {
  Settings settings = testing::tiny_settings();
  settings.steps.average_decay = 0.9;
  for (const Migration* migration : migrations()) {
    settings.operators.migration = *migration;
    const Bytes publication = write_publication(make_cell(settings, {0}), settings);
    EXPECT_EQ(publication.capacity(), publication.size() + ByteWriter::kRoomBehind);
  }
}

}  // namespace
}  // namespace lipizz::coev::publication_test
