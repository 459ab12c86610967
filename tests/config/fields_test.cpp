#include "config/fields.hpp"

#include <gmock/gmock.h>

#include <set>

#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::config::fields_test {
namespace {

using ::testing::HasSubstr;

TEST(Fields, stand_once_each_with_a_sentence) {
  Experiment experiment;
  std::set<std::string> paths;
  for (const Field& field : fields(experiment)) {
    EXPECT_TRUE(paths.insert(field.path).second) << field.path;
    EXPECT_TRUE(field.summary.ends_with('.')) << field.path;
  }
}

TEST(Fields, every_default_is_allowed) {
  Experiment experiment;
  EXPECT_NO_THROW(apply_json(to_json(Experiment{}), "defaults", experiment));
  EXPECT_EQ(experiment, Experiment{});
}

TEST(Fields, a_number_just_outside_its_range_is_refused) {
  Experiment experiment;
  for (const Field& field : fields(experiment)) {
    if (field.highest == field.lowest) continue;
    EXPECT_NO_THROW(apply_value(field.path, number_text(field.highest), field.path, experiment))
        << field.path;
    for (const double outside : {field.lowest - 1, field.highest + 1}) {
      EXPECT_THROW(apply_value(field.path, number_text(outside), field.path, experiment),
                   ConfigError)
          << field.path << " = " << outside;
    }
  }
}

// Where somebody adds a setting, they decide whether a resumed run may change it.
TEST(Fields, are_free_where_no_number_in_a_cell_depends_on_them) {
  Experiment experiment;
  std::vector<std::string> free;
  for (const Field& field : fields(experiment)) {
    if (field.may_change) free.push_back(field.path);
  }
  EXPECT_THAT(
      free, ::testing::UnorderedElementsAre(
                "name", "generations", "convolution_table", "placement", "load_balancing",
                "threads", "threads_per_worker", "layout", "ranks_per_cell", "pipeline.stages",
                "pipeline.schedule", "pipeline.balance", "generator.stages", "discriminator.stages",
                "generator.zero", "discriminator.zero", "generator.offload",
                "discriminator.offload", "offload_folder", "check_memory", "tensorboard",
                "data.dir", "data.path", "data.memory_gb", "data.readers", "samples.rows",
                "samples.columns", "samples.cell_rows", "samples.cell_columns", "comm.heartbeat_s",
                "comm.late_after_s", "comm.dead_after_s", "checkpoint.every", "stop.patience"));
}

std::string nearest_to(std::string_view path) {
  Experiment experiment;
  try {
    fail_unknown("here", path, fields(experiment));
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Fields, a_misspelt_setting_gets_the_nearest_with_its_section) {
  EXPECT_EQ(nearest_to("generator.learning_rat"),
            "here: there is no setting \"generator.learning_rat\"; did you mean "
            "\"generator.learning_rate\"?");
  EXPECT_THAT(nearest_to("discriminator.los"), HasSubstr("\"discriminator.loss\""));
  EXPECT_THAT(nearest_to("batch_size"), HasSubstr("\"data.batch_size\""));
  EXPECT_THAT(nearest_to("gridd"), HasSubstr("\"grid\""));
  EXPECT_THAT(nearest_to("generator_loss"), HasSubstr("\"generator.loss\""));
  EXPECT_THAT(nearest_to("generator.lernrate"), HasSubstr("\"generator.learning_rate\""));
  EXPECT_THAT(nearest_to("generator.lr"), HasSubstr("\"generator.learning_rate\""));
  EXPECT_THAT(nearest_to("discriminator.lr"), HasSubstr("\"discriminator.learning_rate\""));
}

TEST(Fields, what_is_near_to_no_setting_gets_none) {
  for (const std::string path : {"foo", "generator.foo"}) {
    EXPECT_EQ(nearest_to(path),
              "here: there is no setting \"" + path + "\"; `lipizz list settings` has all");
  }
}

}  // namespace
}  // namespace lipizz::config::fields_test
