#include "config/reference.hpp"

#include <gmock/gmock.h>

#include <array>

#include "config/fields.hpp"

namespace lipizz::config::reference_test {
namespace {

constexpr std::array kParameters{Parameter{.name = "pressure",
                                           .lowest = 1,
                                           .highest = 2,
                                           .initial = 1.5,
                                           .unit = "copies",
                                           .summary = "How steep."}};
const OperatorTables kOperators{{"selections", {{"none", "", {}}, {"ranking", "", kParameters}}}};

TEST(Reference, every_setting_stands_in_the_page) {
  Experiment experiment;
  const std::string page = reference_page(kOperators);
  for (const Field& field : fields(experiment)) {
    const std::string mark = field.may_change ? " * |" : " |";
    EXPECT_THAT(page, ::testing::HasSubstr("| `" + field.path + "`" + mark));
  }
}

TEST(Reference, each_section_stands_once) {
  const std::string page = reference_page(kOperators);
  for (const std::string heading : {"\n## The run\n", "\n## generator\n", "\n## data\n"}) {
    const std::size_t first = page.find(heading);
    ASSERT_NE(first, std::string::npos) << heading;
    EXPECT_EQ(page.find(heading, first + 1), std::string::npos) << heading;
  }
}

TEST(Reference, every_parameter_of_an_operator_stands_in_the_page) {
  EXPECT_THAT(reference_page(kOperators),
              ::testing::HasSubstr("| `selection.pressure` (`ranking`) | `1.5` | 1 to 2 copies | "
                                   "How steep. |"));
  EXPECT_THAT(operators_text(kOperators),
              ::testing::HasSubstr("  selection\n    none\n    ranking: pressure = 1.5 (1 to 2 "
                                   "copies)\n"));
}

}  // namespace
}  // namespace lipizz::config::reference_test
