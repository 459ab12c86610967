#include "config/model.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::config::model_test {
namespace {

constexpr const char* kPair =
    R"({"generator":{"inputs":[4],"initialiser":"normal-0.02","layers":[)"
    R"({"kind":"linear","outputs":2,"bias":false,"gain":0.5,"from":[0]}]},)"
    R"("discriminator":{"inputs":[2],"initialiser":"uniform","layers":[{"kind":"linear"}]}})";

std::string refusal(const std::string& json) {
  try {
    parse_model(json, "model");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

std::string with_generator(const std::string& network) {
  return R"({"generator": )" + network +
         R"(, "discriminator": {"inputs": [2], "layers": [{"kind": "linear"}]}})";
}

TEST(Model, is_written_as_it_was_read) {
  const Model model = parse_model(kPair, "model");
  EXPECT_TRUE(model.is_written_out());
  EXPECT_EQ(model.generator.inputs, std::vector<std::uint32_t>{4});
  EXPECT_EQ(model.generator.initialiser, "normal-0.02");
  EXPECT_EQ(model.generator.layers.front()[1],
            (std::pair<std::string, LayerValue>("outputs", 2.0)));
  EXPECT_EQ(model_text(model), kPair);
  EXPECT_EQ(model_text({.name = "mlp"}), "\"mlp\"");
}

TEST(Model, stands_in_a_configuration_and_on_the_command_line) {
  Experiment experiment;
  apply_json(std::string(R"({"model": )") + kPair + "}", "test", experiment);
  EXPECT_EQ(model_text(experiment.model), kPair);
  Experiment again;
  apply_json(to_json(experiment), "again", again);
  EXPECT_EQ(again, experiment);
  Experiment typed;
  apply_assignment(std::string("model=") + kPair, typed);
  EXPECT_EQ(typed, experiment);
  EXPECT_NE(lineage_hash(experiment), lineage_hash({}));
  EXPECT_THROW(expect_unchanged_settings(experiment, {}), ConfigError);
}

TEST(Model, what_is_none_is_refused_with_its_place) {
  EXPECT_EQ(refusal(R"({"generator": {}})"), "model.generator: expected inputs, found none");
  EXPECT_EQ(refusal(R"({"generater": {}})"),
            "model: there is no \"generater\"; did you mean \"generator\"?");
  EXPECT_EQ(refusal(with_generator("3")), "model.generator: expected an object, found 3");
  EXPECT_EQ(refusal(with_generator(R"({"inputs": [0], "layers": []})")),
            "model.generator.inputs: expected a list of 1 to 3 whole numbers from 1 to 65536, "
            "found [0]");
  EXPECT_EQ(refusal(with_generator(R"({"inputs": [2], "layers": []})")),
            "model.generator.layers: expected a list of 1 to 1000 layers, found []");
  EXPECT_EQ(refusal(with_generator(R"({"inputs": [2], "layers": [{}, 5]})")),
            "model.generator.layers[1]: expected an object, found 5");
  EXPECT_EQ(refusal(with_generator(R"({"inputs": [2], "layers": [{"gain": null}]})")),
            "model.generator.layers[0].gain: expected true, false, a number, a name or a list of "
            "numbers, found null");
  EXPECT_EQ(refusal(with_generator(R"({"inputs": [2], "layers": [{"gain": 1e300}]})")),
            "model.generator.layers[0].gain: expected true, false, a number, a name or a list of "
            "numbers, found 1e+300");
}

TEST(Model, nothing_is_nested_without_end) {
  Experiment experiment;
  const std::string deep = R"({"model": )" + std::string(100'000, '[');
  EXPECT_THROW(apply_json(deep, "test", experiment), ConfigError);
}

}  // namespace
}  // namespace lipizz::config::model_test
