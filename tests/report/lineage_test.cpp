#include "report/lineage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lipizz::report::lineage_test {
namespace {

using ::testing::ElementsAre;
using Event = Ancestor::Event;

constexpr Beginning kBeginning{.rate = 0.5, .objective = {}};
constexpr std::uint32_t kCells = 3;

// Three cells: each trains its own centre, with the rate 100 * generation + cell.
struct Told {
  explicit Told(Generation generations) {
    for (Generation generation = 1; generation <= generations; ++generation) {
      for (std::uint32_t cell = 0; cell < kCells; ++cell) {
        MetricsLine line;
        line.generation = generation;
        line.cell = {cell};
        line.generator = {.loss = 1.0 / generation,
                          .rate = 100.0 * generation + cell,
                          .objective = "bce",
                          .origin = {cell},
                          .is_replaced = true};
        line.discriminator = line.generator;
        line.discriminator.objective.clear();
        lines.push_back(line);
      }
    }
  }

  MetricsLine& at(Generation generation, std::uint32_t cell) {
    return lines[(generation - 1) * kCells + cell];
  }
  MetricsLine::Network& generator(Generation generation, std::uint32_t cell) {
    return at(generation, cell).generator;
  }
  [[nodiscard]] Lineage lineage(Place newest, NetworkRole role = NetworkRole::kGenerator) const {
    return lineage_of(lines, role, newest, kBeginning);
  }

  std::vector<MetricsLine> lines;
};

std::vector<Place> places(const Lineage& lineage) {
  std::vector<Place> all;
  for (const Ancestor& ancestor : lineage.ancestors) all.push_back(ancestor.place);
  return all;
}

TEST(Lineage, of_a_cell_that_only_trains_itself_goes_back_to_its_seed) {
  const Lineage lineage = Told(2).lineage({2, {1}});
  EXPECT_FALSE(lineage.missing);
  EXPECT_THAT(places(lineage), ElementsAre(Place{2, {1}}, Place{1, {1}}, Place{0, {1}}));
  EXPECT_EQ(lineage.ancestors[0].event, Event::kTrained);
  EXPECT_EQ(lineage.ancestors[0].rate, 201);
  EXPECT_EQ(lineage.ancestors[0].objective, "bce");
  EXPECT_EQ(lineage.ancestors[0].loss, 0.5);
  EXPECT_EQ(lineage.ancestors[2].event, Event::kSeeded);
  EXPECT_EQ(lineage.ancestors[2].rate, 0.5);
  EXPECT_TRUE(std::isnan(lineage.ancestors[2].loss));
}

TEST(Lineage, follows_an_offspring_to_the_neighbour_that_it_is_a_copy_of) {
  Told told(3);
  told.generator(2, 1).origin = {0};
  EXPECT_THAT(places(told.lineage({3, {1}})),
              ElementsAre(Place{3, {1}}, Place{2, {1}}, Place{1, {0}}, Place{0, {0}}));
  EXPECT_THAT(places(told.lineage({3, {1}}, NetworkRole::kDiscriminator)),
              ElementsAre(Place{3, {1}}, Place{2, {1}}, Place{1, {1}}, Place{0, {1}}));
}

// The line tells of an offspring that was not taken: of its rate and objective, and of the origin
// of the centre, which is older.
TEST(Lineage, of_a_kept_centre_is_its_own) {
  Told told(3);
  told.generator(2, 1) = {.loss = 7, .rate = 9, .objective = "mse", .origin = {2}};
  const Lineage lineage = told.lineage({3, {1}});
  EXPECT_THAT(places(lineage),
              ElementsAre(Place{3, {1}}, Place{2, {1}}, Place{1, {1}}, Place{0, {1}}));
  EXPECT_EQ(lineage.ancestors[1].event, Event::kKept);
  EXPECT_EQ(lineage.ancestors[1].rate, 101);
  EXPECT_EQ(lineage.ancestors[1].objective, "bce");
  EXPECT_EQ(lineage.ancestors[1].loss, 7);
}

TEST(Lineage, of_a_copy_is_that_of_the_neighbour) {
  Told told(2);
  told.generator(2, 1) = {
      .loss = 7, .rate = 9, .objective = "mse", .origin = {2}, .is_copied = true};
  const Lineage lineage = told.lineage({2, {1}});
  EXPECT_THAT(places(lineage), ElementsAre(Place{2, {1}}, Place{1, {2}}, Place{0, {2}}));
  EXPECT_EQ(lineage.ancestors[0].event, Event::kCopied);
  EXPECT_EQ(lineage.ancestors[0].rate, 102);
}

TEST(Lineage, of_a_discriminator_has_the_objective_of_the_configuration) {
  const Lineage lineage = lineage_of(Told(1).lines, NetworkRole::kDiscriminator, {1, {0}},
                                     {.rate = 1, .objective = "w"});
  EXPECT_EQ(lineage.ancestors[0].objective, "w");
}

TEST(Lineage, of_an_asynchronous_exchange_follows_the_ages) {
  Told told(5);
  told.at(5, 1).ages = {{{0}, 2}, {{2}, -1}};
  told.generator(5, 1).origin = {0};
  EXPECT_EQ(told.lineage({5, {1}}).ancestors[1].place, (Place{2, {0}}));
  told.generator(5, 1).origin = {2};  // which was ahead
  EXPECT_EQ(told.lineage({5, {1}}).ancestors[1].place, (Place{5, {2}}));
  told.generator(5, 1).origin = {1};
  EXPECT_EQ(told.lineage({5, {1}}).ancestors[1].place, (Place{4, {1}}));
}

TEST(Lineage, breaks_off_where_a_line_is_missing) {
  Told told(4);
  told.lines.erase(told.lines.begin() + 1 * kCells + 1);  // generation 2 of cell 1
  const Lineage lineage = told.lineage({4, {1}});
  EXPECT_THAT(places(lineage), ElementsAre(Place{4, {1}}, Place{3, {1}}));
  EXPECT_EQ(lineage.missing, (Place{2, {1}}));
  EXPECT_FALSE(told.lineage({4, {0}}).missing);
  EXPECT_TRUE(told.lineage({5, {0}}).missing);
}

TEST(Lineage, breaks_off_where_a_line_contradicts_itself) {
  Told told(4);
  told.generator(4, 1).origin = {0};
  told.at(4, 1).ages = {{{0}, std::nullopt}};  // it was left out
  EXPECT_EQ(told.lineage({4, {1}}).missing, (Place{4, {1}}));
  told.at(4, 1).ages = {{{0}, 17}};  // before the beginning
  EXPECT_EQ(told.lineage({4, {1}}).missing, (Place{4, {1}}));
}

TEST(Lineage, ends_where_lines_go_round_in_a_circle) {
  Told told(2);
  for (const std::uint32_t cell : {0U, 1U}) {
    told.generator(2, cell).origin = {1 - cell};
    told.at(2, cell).ages = {{{1 - cell}, -1}};
  }
  EXPECT_TRUE(told.lineage({2, {0}}).missing);
}

TEST(Lineage, of_members_of_a_mixture_begins_with_what_it_was_made_of) {
  MetricsLine line;
  line.generation = 4;
  line.cell = {1};
  line.mixture = {{{1}, 0.5}, {{0}, 0.25}, {{2}, 0.25}};
  EXPECT_THAT(mixture_members(line), ElementsAre(Place{4, {1}}, Place{3, {0}}, Place{3, {2}}));
  line.ages = {{{0}, 2}, {{2}, std::nullopt}};
  EXPECT_THAT(mixture_members(line), ElementsAre(Place{4, {1}}, Place{1, {0}}));
}

TEST(Lineage, in_common_has_the_youngest_ancestor_of_all) {
  Told told(4);
  told.generator(3, 1).origin = {0};
  const std::vector<Lineage> two{told.lineage({4, {0}}), told.lineage({4, {1}})};
  EXPECT_EQ(common_ancestor(two), (Place{2, {0}}));
  const std::vector<Lineage> three{two[0], two[1], told.lineage({4, {2}})};
  EXPECT_FALSE(common_ancestor(three));
  EXPECT_FALSE(common_ancestor({}));
}

TEST(Lineage, is_folded_by_the_cells_that_it_stayed_in) {
  Told told(6);
  told.generator(3, 1).origin = {0};
  told.generator(5, 1).is_replaced = false;
  const std::vector<Stay> stays = stays_of(told.lineage({6, {1}}));
  ASSERT_EQ(stays.size(), 2U);
  EXPECT_EQ(stays[0].cell, CellId{1});
  EXPECT_EQ(stays[0].first, 3U);
  EXPECT_EQ(stays[0].last, 6U);
  EXPECT_EQ(stays[0].n_trained, 3U);
  EXPECT_EQ(stays[0].came_from, (Place{2, {0}}));
  EXPECT_THAT(stays[0].objectives, ElementsAre("bce"));
  EXPECT_EQ(stays[0].newest.rate, 601);
  EXPECT_EQ(stays[0].oldest.rate, 301);
  EXPECT_EQ(stays[1].first, 0U);
  EXPECT_EQ(stays[1].last, 2U);
  EXPECT_EQ(stays[1].n_trained, 2U);
  EXPECT_FALSE(stays[1].came_from);
}

}  // namespace
}  // namespace lipizz::report::lineage_test
