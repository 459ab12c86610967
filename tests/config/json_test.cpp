#include "config/json.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "core/error.hpp"

namespace lipizz::config::json_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Gives every type of setting a value that no default has.
struct Change {
  void operator()(bool* value) const { *value = !*value; }
  void operator()(std::uint32_t* value) const { *value += 1; }
  void operator()(std::uint64_t* value) const { *value = 9007199254740991; }
  void operator()(double* value) const { *value = *value * 0.7 + 1.0 / 3e7; }
  void operator()(std::string* value) const { *value += "/\"\\ \u00e9"; }
  void operator()(std::vector<std::string>* value) const { *value = {"a", "b"}; }
  void operator()(std::vector<NeighbourhoodFrom>* value) const {
    *value = {{0, "ring3"}, {20, "moore9"}};
  }
  void operator()(Model* value) const {
    const Network network{{3, 4}, "zeros", {{{"kind", "linear"}, {"gain", 0.1}, {"on", true}}}};
    *value = {{}, network, network};
  }
  void operator()(Operator* value) const { *value = {"ranking", {{"pressure", 1.0 / 3}}}; }
};

TEST(Json, what_was_written_is_read_back_whichever_setting_differs) {
  std::set<std::uint64_t> hashes{hash(Experiment{})};
  Experiment all_changed;
  const std::size_t n_fields = fields(all_changed).size();
  for (std::size_t i = 0; i < n_fields; ++i) {
    Experiment changed;
    std::visit(Change{}, fields(changed)[i].value);
    std::visit(Change{}, fields(all_changed)[i].value);
    EXPECT_NE(changed, Experiment{}) << fields(changed)[i].path;
    Experiment read;
    apply_json(to_json(changed), "test", read);
    EXPECT_EQ(read, changed) << fields(changed)[i].path;
    const std::string path = fields(changed)[i].path;
    const bool is_place = path == "data.dir" || path == "data.path";
    EXPECT_NE(hashes.insert(hash(changed)).second, is_place) << fields(changed)[i].path;
  }
  Experiment read;
  apply_json(to_json(all_changed), "test", read);
  EXPECT_EQ(read, all_changed);
}

// Message, or nothing, for going on with another value of the n-th setting.
std::string complaint_of_lineage(std::size_t n) {
  Experiment changed;
  std::visit(Change{}, fields(changed)[n].value);
  try {
    expect_unchanged_settings({}, changed);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(Lineage, allows_free_settings_to_change_and_names_any_other) {
  Experiment defaults;
  const std::vector<Field> all = fields(defaults);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string complaint = complaint_of_lineage(i);
    if (all[i].may_change) {
      EXPECT_EQ(complaint, "") << all[i].path;
    } else {
      EXPECT_THAT(complaint, ::testing::StartsWith(all[i].path +
                                                   ": a run is resumed as it was "
                                                   "started, with " +
                                                   value_text(all[i]) + ", not "));
    }
  }
}

TEST(Lineage, has_a_hash_that_free_settings_leave_and_any_other_changes) {
  std::set<std::uint64_t> hashes{lineage_hash({})};
  const std::size_t n_fields = [] {
    Experiment experiment;
    return fields(experiment).size();
  }();
  for (std::size_t i = 0; i < n_fields; ++i) {
    Experiment changed;
    const Field field = fields(changed)[i];
    std::visit(Change{}, field.value);
    EXPECT_NE(hashes.insert(lineage_hash(changed)).second, field.may_change) << field.path;
  }
  EXPECT_NE(lineage_hash({}), hash({}));
}

TEST(Json, names_only_what_differs_from_the_rest) {
  Experiment experiment;
  apply_json(R"({"generator": {"learning_rate": 0.001, "loss": "mse"}, "grid": {"rows": 3}})",
             "test", experiment);
  Experiment wanted;
  wanted.generator.learning_rate = 0.001;
  wanted.generator.loss = "mse";
  wanted.grid.rows = 3;
  EXPECT_EQ(experiment, wanted);
}

TEST(Json, a_neighbourhood_is_a_name_or_a_schedule) {
  Experiment experiment;
  apply_json(R"({"neighbourhood": "ring5"})", "test", experiment);
  EXPECT_THAT(experiment.grid.neighbourhood, ElementsAre(NeighbourhoodFrom{0, "ring5"}));
  apply_json(R"({"neighbourhood": [{"from": 0, "neighbourhood": "cross5"},
                                   {"from": 20, "neighbourhood": "moore9"}]})",
             "test", experiment);
  EXPECT_THAT(experiment.grid.neighbourhood,
              ElementsAre(NeighbourhoodFrom{0, "cross5"}, NeighbourhoodFrom{20, "moore9"}));
}

TEST(Json, an_operator_is_a_name_or_an_object) {
  Experiment experiment;
  apply_json(R"({"selection": {"kind": "tournament", "size": 3}, "replacement": "generational",
                 "rate_mutation": {"per": "batch", "alpha": 1, "kind": "gaussian"},
                 "generator": {"opponents": {"kind": "partner-share", "share": 0.5}}})",
             "test", experiment);
  EXPECT_EQ(experiment.operators.selection, (Operator{"tournament", {{"size", 3}}}));
  EXPECT_EQ(experiment.operators.replacement, (Operator{"generational"}));
  EXPECT_EQ(experiment.operators.rate_mutation,
            (RateMutation{{"gaussian", {{"alpha", 1}}}, "batch"}));
  EXPECT_EQ(experiment.generator.opponents, (Operator{"partner-share", {{"share", 0.5}}}));
  EXPECT_EQ(experiment.discriminator.opponents, (Operator{"partner-share"}));
  Experiment again;
  apply_json(to_json(experiment), "test", again);
  EXPECT_EQ(again, experiment);
}

TEST(Json, an_operator_that_becomes_another_forgets_its_parameters) {
  Experiment experiment;
  experiment.operators.rate_mutation.mutation = {"gaussian", {{"alpha", 1}}};
  apply_json(R"({"rate_mutation": {"kind": "gaussian", "probability": 1}})", "test", experiment);
  EXPECT_EQ(experiment.operators.rate_mutation.mutation,
            (Operator{"gaussian", {{"alpha", 1}, {"probability", 1}}}));
  apply_json(R"({"rate_mutation": "log-normal"})", "test", experiment);
  EXPECT_EQ(experiment.operators.rate_mutation.mutation, (Operator{"log-normal"}));
}

TEST(Json, what_is_no_operator_is_refused) {
  const auto message = [](const char* text) -> std::string {
    Experiment experiment;
    try {
      apply_json(text, "test", experiment);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message(R"({"selection": 3})"),
            "test: selection: expected a name or {\"kind\": name, parameter: number ...}, found 3");
  EXPECT_EQ(message(R"({"selection": {"kind": 3}})"),
            "test: selection.kind: expected a name, found 3");
  EXPECT_EQ(message(R"({"selection": {"kind": "tournament", "size": "2"}})"),
            "test: selection.size: expected a number, found \"2\"");
  EXPECT_EQ(message(R"({"loss_mutation": {"kind": "uniform", "loses": ["bce"]}})"),
            "test: there is no setting \"loss_mutation.loses\"; did you mean "
            "\"loss_mutation.losses\"?");
}

TEST(Json, text_that_ends_anywhere_before_its_end_is_refused) {
  std::string text = to_json(Experiment{});
  text.pop_back();  // the newline after the last brace
  for (std::size_t length = 0; length < text.size(); ++length) {
    Experiment experiment;
    EXPECT_THROW(apply_json(std::string_view(text).substr(0, length), "test", experiment),
                 ConfigError)
        << length;
  }
}

TEST(Json, any_changed_byte_gives_an_experiment_or_one_message) {
  const std::string text = to_json(Experiment{});
  std::size_t n_refused = 0;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    for (const char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string damaged = text;
      damaged[i] = byte;
      try {
        Experiment experiment;
        apply_json(damaged, "test", experiment);
      } catch (const ConfigError&) {
        ++n_refused;
      }
    }
  }
  EXPECT_GT(n_refused, text.size());
}

TEST(Json, bytes_that_are_no_text_are_refused_and_not_repeated) {
  try {
    Experiment experiment;
    apply_json("{\"name\": \"\xff\"}", "test", experiment);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "test:1:11: not valid JSON: invalid string: ill-formed UTF-8 byte; last read: "
                 "'\"?'");
  }
}

TEST(Json, deep_nesting_is_refused_without_running_out_of_stack) {
  Experiment experiment;
  EXPECT_THROW(apply_json(std::string(200'000, '['), "test", experiment), ConfigError);
  std::string objects;
  for (int i = 0; i < 50'000; ++i) objects += R"({"grid":)";
  EXPECT_THROW(apply_json(objects, "test", experiment), ConfigError);
}

std::string message_of(std::string_view assignment) {
  Experiment experiment;
  try {
    apply_assignment(assignment, experiment);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Assignment, sets_every_type_from_plain_text) {
  Experiment experiment;
  for (const char* assignment :
       {"seed=42", "generator.learning_rate=1e-3", "class_conditional=true", "data.dir=/a b=c",
        "loss_mutation.losses=bce,mse", "neighbourhood=moore9", "name=7"}) {
    apply_assignment(assignment, experiment);
  }
  EXPECT_EQ(experiment.seed, 42U);
  EXPECT_EQ(experiment.generator.learning_rate, 1e-3);
  EXPECT_TRUE(experiment.data.class_conditional);
  EXPECT_EQ(experiment.data.dir, "/a b=c");
  EXPECT_THAT(experiment.operators.loss_mutation.losses, ElementsAre("bce", "mse"));
  EXPECT_THAT(experiment.grid.neighbourhood, ElementsAre(NeighbourhoodFrom{0, "moore9"}));
  EXPECT_EQ(experiment.name, "7");
  apply_assignment("loss_mutation.losses=", experiment);
  EXPECT_TRUE(experiment.operators.loss_mutation.losses.empty());
  apply_assignment(R"(neighbourhood=[{"from": 0, "neighbourhood": "ring3"}])", experiment);
  EXPECT_THAT(experiment.grid.neighbourhood, ElementsAre(NeighbourhoodFrom{0, "ring3"}));
}

TEST(Assignment, sets_operators_whole_or_in_part) {
  Experiment experiment;
  for (const char* assignment :
       {"selection.kind=tournament", "selection.size=4", "mixture=equal", "rate_mutation=gaussian",
        "rate_mutation.alpha=1e-4", "rate_mutation.per=batch",
        R"(generator.opponents={"kind": "partner-share", "share": 1})"}) {
    apply_assignment(assignment, experiment);
  }
  EXPECT_EQ(experiment.operators.selection, (Operator{"tournament", {{"size", 4}}}));
  EXPECT_EQ(experiment.operators.mixture, (Operator{"equal"}));
  EXPECT_EQ(experiment.operators.rate_mutation,
            (RateMutation{{"gaussian", {{"alpha", 1e-4}}}, "batch"}));
  EXPECT_EQ(experiment.generator.opponents, (Operator{"partner-share", {{"share", 1}}}));
  apply_assignment("selection.kind=none", experiment);
  EXPECT_EQ(experiment.operators.selection, (Operator{"none"}));
  EXPECT_EQ(message_of("selection.size=many"),
            "--set selection.size: expected a number, found \"many\"");
}

TEST(Assignment, says_what_was_expected_and_what_was_found) {
  EXPECT_EQ(message_of("grid.rows=many"),
            "--set grid.rows: expected a whole number from 1 to 4096, found \"many\"");
  EXPECT_EQ(message_of("grid.rows=2.5"),
            "--set grid.rows: expected a whole number from 1 to 4096, found 2.5");
  EXPECT_EQ(message_of("class_conditional=1"),
            "--set class_conditional: expected true or false, found 1");
  EXPECT_EQ(message_of("generator.learning_rate=1e999"),
            "--set generator.learning_rate: expected a number from 0 to 10, found \"1e999\"");
  EXPECT_EQ(message_of("seed="),
            "--set seed: expected a whole number from 0 to 9007199254740991, "
            "found \"\"");
  EXPECT_EQ(message_of("grid=4"), "--set grid: expected one of its settings, found \"grid\"");
  EXPECT_THAT(message_of("seed"), HasSubstr("expected setting=value"));
  EXPECT_THAT(message_of("=3"), HasSubstr("expected setting=value"));
  EXPECT_THAT(message_of("sed=3"), HasSubstr("did you mean \"seed\"?"));
  EXPECT_THAT(message_of("data.dir=\xff"), HasSubstr("expected UTF-8"));
  EXPECT_THAT(message_of("loss_mutation.losses=[\"bce\""), HasSubstr("not valid JSON"));
}

TEST(File, one_that_is_missing_or_no_file_is_named) {
  Experiment experiment;
  const auto complaint = [&](const char* path) -> std::string {
    try {
      apply_file(path, experiment);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_EQ(complaint("/nowhere/x.json"), "there is no configuration file /nowhere/x.json");
  EXPECT_EQ(complaint("/tmp"), "/tmp: expected a configuration file, found a folder");
}

}  // namespace
}  // namespace lipizz::config::json_test
