#include "setup/registries.hpp"

#include <gtest/gtest.h>

#include "config/fields.hpp"
#include "core/error.hpp"
#include "setup/operators.hpp"

namespace lipizz::setup::registries_test {
namespace {

TEST(Registries, each_kind_that_a_setting_names_has_one) {
  config::Experiment experiment;
  std::size_t n_kinds = 0;
  for (const config::Field& field : config::fields(experiment)) {
    if (field.kind.empty()) continue;
    EXPECT_FALSE(find_registry(field.kind).entries().empty()) << field.path;
    ++n_kinds;
  }
  EXPECT_GE(n_kinds, registries().size());
  EXPECT_THROW(find_registry("loses"), InternalError);
}

struct Row {
  std::string_view name;
  std::string_view summary;
};

TEST(Registries, are_made_of_records_and_of_pointers_to_records) {
  const Row rows[] = {{.name = "a", .summary = "first"}, {.name = "b", .summary = "second"}};
  const Row* const pointers[] = {&rows[1]};
  EXPECT_EQ(entries_of(rows).at(1).summary, "second");
  EXPECT_EQ(entries_of(pointers).at(0).name, "b");
}

TEST(Registries, operators_are_listed_under_every_kind_of_theirs) {
  for (const auto& [kind, rows] : operator_tables()) {
    EXPECT_EQ(find_registry(kind).entries().size(), rows.size()) << kind;
  }
}

}  // namespace
}  // namespace lipizz::setup::registries_test
