#include "report/sheets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::sheets_test {
namespace {

using Generations = std::vector<Generation>;

Generations generations_of(const std::vector<Sheet>& sheets) {
  Generations generations;
  for (const Sheet& sheet : sheets) generations.push_back(sheet.generation);
  return generations;
}

std::vector<Sheet> sheets_of(const Generations& generations, std::uint64_t n_bytes = 3) {
  std::vector<Sheet> sheets;
  for (const Generation generation : generations)
    sheets.push_back({"", generation, false, n_bytes});
  return sheets;
}

TEST(Sheets, are_found_by_generation_with_the_final_one_last) {
  const TemporaryFolder folder;
  for (const char* name : {"best-gen10.png", "best-gen9.png", "best-gen000002.png", "best.png",
                           "grid.png", "best-gen.png", "best-gen-1.png", "best-genx.png",
                           "best-gen11.jpg", "best-gen99.png", "best-gen99999999999.png"}) {
    write_text(folder / name, "1234");
  }
  std::filesystem::create_directory(folder / "best-gen3.png");
  std::filesystem::create_symlink(folder / "best.png", folder / "best-gen4.png");
  const auto sheets = sheets_in(folder.path(), 10);
  EXPECT_EQ(generations_of(sheets), (Generations{2, 9, 10, 10}));
  EXPECT_FALSE(sheets[2].is_final);
  EXPECT_TRUE(sheets[3].is_final);
  EXPECT_EQ(sheets[3].n_bytes, 4);
  EXPECT_TRUE(sheets_in(folder / "none", 10).empty());
}

TEST(Sheets, those_that_stand_closest_go_first) {
  EXPECT_EQ(generations_of(chosen_sheets(sheets_of({1, 2, 3, 50, 100}), 100, {.n_sheets = 4})),
            (Generations{1, 3, 50, 100}));
  EXPECT_EQ(generations_of(chosen_sheets(sheets_of({1, 2, 3, 50, 100}), 100, {.n_sheets = 3})),
            (Generations{1, 50, 100}));
}

TEST(Sheets, best_and_last_are_kept_and_the_rest_lies_evenly) {
  Generations every;
  for (Generation generation = 1; generation <= 1000; ++generation) every.push_back(generation);
  const Generations chosen = generations_of(chosen_sheets(sheets_of(every), 321));
  ASSERT_EQ(chosen.size(), 40);
  EXPECT_EQ(chosen.front(), 1);
  EXPECT_EQ(chosen.back(), 1000);
  EXPECT_TRUE(std::ranges::binary_search(chosen, 321));
  for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_LE(chosen[i] - chosen[i - 1], 64);
}

TEST(Sheets, the_best_is_that_of_the_newest_improvement) {
  const auto sheets = sheets_of({1, 40, 90, 100});  // the best generation, 60, drew none
  EXPECT_EQ(generations_of(chosen_sheets(sheets, 60, {.n_sheets = 2})), (Generations{40, 100}));
  EXPECT_EQ(generations_of(chosen_sheets(sheets, 60, {.n_sheets = 1})), Generations{100});
}

TEST(Sheets, fit_into_what_a_page_may_weigh) {
  const auto sheets = sheets_of({1, 50, 100}, 300);  // of 400 characters each
  EXPECT_EQ(chosen_sheets(sheets, 100, {.n_bytes = 1200}).size(), 3);
  EXPECT_EQ(generations_of(chosen_sheets(sheets, 100, {.n_bytes = 1199})), (Generations{1, 100}));
  EXPECT_TRUE(chosen_sheets(sheets, 100, {.n_bytes = 399}).empty());
}

TEST(Sheets, become_text_where_they_are_pictures) {
  const TemporaryFolder folder;
  const std::string picture = "\x89PNG and so on";
  write_text(folder / "best.png", picture);
  Sheet sheet = sheets_in(folder.path(), 1).at(0);
  EXPECT_EQ(data_uri(sheet), "data:image/png;base64,iVBORyBhbmQgc28gb24=");
  write_text(folder / "best.png", picture + " and more");
  EXPECT_EQ(data_uri(sheet), "");
  write_text(folder / "best.png", "<svg onload=a()>");
  sheet.n_bytes = 100;
  EXPECT_EQ(data_uri(sheet), "");
  std::filesystem::remove(folder / "best.png");
  EXPECT_EQ(data_uri(sheet), "");
}

}  // namespace
}  // namespace lipizz::report::sheets_test
