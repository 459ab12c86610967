#include "checkpoint/network_description.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/self_attention.hpp"

namespace lipizz::checkpoint::network_description_test {
namespace {

using nlohmann::json;

TEST(NetworkDescription, tells_modules_wiring_shapes_tensors_and_slopes) {
  const auto found = json::parse(network_description(
      {{3}, {{2, nn::Activation::kLeakyRelu}, {.kind = &nn::kAddLayer, .from = {1, 1}}}}));
  EXPECT_EQ(found, json::parse(R"({
    "inputs": [3],
    "pytorch": null,
    "modules": [
      {"name": "0", "kind": "linear", "from": ["input"], "outputs": 2, "bias": true, "shape": [2],
       "tensors": {"weight": [2, 3], "bias": [2]}},
      {"name": "1", "kind": "leaky-relu", "from": ["0"], "slope": 0.2, "shape": [2], "tensors": {}},
      {"name": "2", "kind": "add", "from": ["1", "1"], "shape": [2], "tensors": {}}]})"));
}

TEST(NetworkDescription, names_the_chain_that_pytorch_has) {
  const auto found =
      json::parse(network_description({{3}, {{2, nn::Activation::kLeakyRelu}, {1}}}));
  EXPECT_EQ(found["pytorch"],
            "torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.LeakyReLU(0.2), "
            "torch.nn.Linear(2, 1))");
}

TEST(NetworkDescription, tells_of_every_setting_of_a_layer) {
  const auto modules = json::parse(network_description(
      {{2, 2, 8},
       {{.kind = &nn::kDropoutLayer, .rate = 0.3f},
        {.outputs = 1, .kind = &nn::kChannelsLayer, .from = {0}, .offset = 2},
        {.kind = &nn::kSelfAttentionLayer, .has_spectral_norm = true, .from = {0}}}}))["modules"];
  EXPECT_EQ(modules[0]["rate"], 0.3);
  EXPECT_EQ(modules[1]["offset"], 2);
  EXPECT_EQ(modules[1]["from"], json::parse(R"(["input"])"));
  EXPECT_EQ(modules[2]["tensors"],
            json::parse(R"({"theta.weight": [1, 8, 1, 1], "phi.weight": [1, 8, 1, 1],
                            "g.weight": [4, 8, 1, 1], "o.weight": [8, 4, 1, 1], "gamma": [1]})"));
}

}  // namespace
}  // namespace lipizz::checkpoint::network_description_test
