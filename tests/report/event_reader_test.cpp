#include "report/event_reader.hpp"

#include <gtest/gtest.h>

#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::event_reader_test {
namespace {

constexpr grid::Torus kTorus{.rows = 1, .columns = 2};

TEST(EventReader, returns_each_event_once_and_counts_what_is_damaged) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "events.jsonl";
  EventReader reader(file, kTorus);
  EXPECT_TRUE(reader.read().empty());
  const std::string first = to_line({.kind = RunEvent::Kind::kTraining}) + "\n";
  write_text(file, first);
  EXPECT_EQ(reader.read().size(), 1);
  write_text(file, first + "{}\n" + to_line({.kind = RunEvent::Kind::kSaved, .generation = 4}) +
                       "\nno line yet");
  const auto more = reader.read();
  ASSERT_EQ(more.size(), 1);
  EXPECT_EQ(more[0].generation, 4);
  EXPECT_EQ(reader.n_damaged(), 1);
}

}  // namespace
}  // namespace lipizz::report::event_reader_test
