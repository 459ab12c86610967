#include "config/operators.hpp"

#include <gmock/gmock.h>

#include <array>

#include "core/error.hpp"

namespace lipizz::config::operators_test {
namespace {

constexpr std::array kParameters{Parameter{.name = "size",
                                           .lowest = 2,
                                           .highest = 9,
                                           .initial = 3,
                                           .unit = "members",
                                           .is_whole = true},
                                 Parameter{.name = "share", .highest = 1, .initial = 0.5}};
constexpr std::array kKnown{
    OperatorDeclaration{.name = "none", .summary = "", .parameters = {}},
    OperatorDeclaration{.name = "some", .summary = "", .parameters = kParameters}};

std::string complaint(const Operator& written) {
  try {
    completed(written, kKnown, "selection");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(Operators, are_completed_in_the_order_of_their_declaration) {
  EXPECT_EQ(completed({"none"}, kKnown, "selection"), (Operator{"none"}));
  EXPECT_EQ(completed({"some", {{"share", 1}}}, kKnown, "selection"),
            (Operator{"some", {{"size", 3}, {"share", 1}}}));
}

TEST(Operators, unknown_names_get_the_nearest) {
  EXPECT_EQ(complaint({"sone"}), "selection: there is no \"sone\"; did you mean \"none\"?");
  EXPECT_EQ(complaint({"some", {{"sise", 3}}}),
            "selection.sise: some has no parameter \"sise\"; did you mean \"size\"?");
  EXPECT_EQ(complaint({"none", {{"size", 3}}}), "selection.size: none takes no parameters");
}

TEST(Operators, values_out_of_range_get_the_range) {
  for (const double size : {1.0, 10.0, 2.5}) {
    EXPECT_THAT(complaint({"some", {{"size", size}}}),
                ::testing::StartsWith(
                    "selection.size: expected a whole number from 2 to 9 members, found "));
  }
  EXPECT_EQ(complaint({"some", {{"share", -0.5}}}),
            "selection.share: expected a number from 0 to 1, found -0.5");
}

}  // namespace
}  // namespace lipizz::config::operators_test
