#include "report/lineage_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace lipizz::report::lineage_text_test {
namespace {

using ::testing::HasSubstr;
using Event = Ancestor::Event;

constexpr grid::Torus kTorus{.rows = 2, .columns = 3};
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Ancestor ancestor(Event event, Place place, Place parent) {
  return {.place = place,
          .event = event,
          .parent = parent,
          .rate = 0.001 * (1 + place.generation),
          .objective = "bce",
          .loss = event == Event::kSeeded ? kUnknown : 1.0 / place.generation};
}

// Cell 0,1 of generation 4: kept there, trained from what cell 1,2 had in generation 2.
Lineage example() {
  return {.ancestors = {ancestor(Event::kKept, {4, {1}}, {3, {1}}),
                        ancestor(Event::kTrained, {3, {1}}, {2, {5}}),
                        ancestor(Event::kTrained, {2, {5}}, {1, {5}}),
                        ancestor(Event::kTrained, {1, {5}}, {0, {5}}),
                        ancestor(Event::kSeeded, {0, {5}}, {0, {5}})},
          .missing = {}};
}

TEST(LineageText, has_a_line_for_each_stay) {
  EXPECT_EQ(lineage_text(example(), NetworkRole::kGenerator, kTorus),
            "the generator of cell 0,1 at generation 4: trained in 3 generations, in 2 cells; its "
            "seed is cell 1,2\n"
            "generations  cell  came from  trained  rate            loss            objective\n"
            "3 to 4       0,1   1,2 at 2   1        0.004 to 0.005  0.3333 to 0.25  bce\n"
            "0 to 2       1,2   its seed   2        0.001 to 0.003  1 to 0.5        bce\n");
}

TEST(LineageText, says_where_it_breaks_off) {
  Lineage lineage = example();
  lineage.ancestors.resize(3);
  lineage.missing = Place{1, {5}};
  const std::string text = lineage_text(lineage, NetworkRole::kDiscriminator, kTorus);
  EXPECT_THAT(text, HasSubstr("the discriminator of cell 0,1"));
  EXPECT_THAT(text, HasSubstr("unknown"));
  EXPECT_THAT(text, HasSubstr("older ones are not known: the line of cell 1,2 at 1 is missing"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("seed")));
}

TEST(LineageText, as_json_has_every_ancestor) {
  const auto json = nlohmann::json::parse(lineage_json(example(), kTorus));
  ASSERT_EQ(json.size(), 5U);
  EXPECT_EQ(json[0]["event"], "kept");
  EXPECT_EQ(json[1], nlohmann::json::parse(R"({"generation":3,"row":0,"col":1,"event":"trained",
      "parent":{"generation":2,"row":1,"col":2},"rate":0.004,"loss":0.3333333333333333,
      "objective":"bce"})"));
  EXPECT_TRUE(json[4]["parent"].is_null());
  EXPECT_TRUE(json[4]["loss"].is_null());
}

TEST(LineageText, of_a_mixture_says_where_its_members_meet) {
  const std::vector<MemberLineage> alike{{0.75, example()}, {0.25, example()}};
  EXPECT_THAT(mixture_text(alike, kTorus), HasSubstr("all descend from the generator of cell 0,1 "
                                                     "at generation 4, 0 generations before\n"));
  EXPECT_THAT(mixture_text(alike, kTorus), HasSubstr("weight 0.25: the generator of cell 0,1"));
  std::vector<MemberLineage> strangers{{0.75, example()}, {0.25, {}}};
  strangers[1].lineage.ancestors = {ancestor(Event::kSeeded, {0, {2}}, {0, {2}})};
  EXPECT_THAT(mixture_text(strangers, kTorus),
              HasSubstr("along these lines they have no ancestor in common"));
  strangers[1].lineage.missing = Place{7, {2}};
  EXPECT_THAT(mixture_text(strangers, kTorus), HasSubstr("is not known"));
  const auto json = nlohmann::json::parse(mixture_json(alike, kTorus));
  EXPECT_EQ(json["members"][1]["weight"], 0.25);
  EXPECT_EQ(json["members"][1]["lineage"].size(), 5U);
  EXPECT_EQ(json["common_ancestor"]["generation"], 4);
}

}  // namespace
}  // namespace lipizz::report::lineage_text_test
