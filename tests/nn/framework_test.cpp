#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "nn/gradients.hpp"
#include "nn/loss.hpp"
#include "nn/operations.hpp"
#include "nn/plan.hpp"
#include "nn/support.hpp"
#include "nn/training_graphs.hpp"

// Our gradients against another framework's: reference/gan_gradients.txt was written by PyTorch.
namespace lipizz::nn {
namespace {

using Table = std::map<std::string, std::vector<double>>;

Table read_table(const std::string& path) {
  std::ifstream in(path);
  Table table;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    std::size_t n = 0;
    words >> name >> n;
    std::vector<double>& values = table[name];
    values.resize(n);
    for (double& value : values) words >> value;
    EXPECT_TRUE(words) << name;
  }
  return table;
}

const Table& expected() {
  static const Table table = read_table(LIPIZZ_REFERENCE_DIR "/gan_gradients.txt");
  return table;
}

Buffer<float> floats(const std::vector<double>& values, std::size_t size) {
  Buffer<float> result(size);
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = static_cast<float>(values[i]);
  return result;
}

// With plain SGD at rate 1 and zero momentum, the step's movement is the gradient.
constexpr OptimizerSpec kMoveByGradient{.kind = OptimizerKind::kSgd, .beta1 = 0};
constexpr std::uint32_t kBatch = 6;

// Runs the graph once in single precision and compares loss and gradient.
void expect_step(const Engine& engine, const StepGraph& step, const std::string& role,
                 const std::string& opponent, LossId loss_id) {
  const std::string prefix = std::string(losses()[loss_id].name) + "." + role;
  const std::vector<double>& gradient = expected().at(prefix + ".gradient");
  const auto size = [&](SlotId slot) { return step.graph.slots()[slot.index].n_elements; };
  Buffer<float> parameters = floats(expected().at(role), size(step.parameters));
  const Buffer<float> before = parameters;
  Buffer<float> moments(size(step.moments));
  const Buffer<float> frozen = floats(expected().at(opponent), size(step.opponent));
  const Buffer<float> noise = floats(expected().at("noise"), size(step.noise));
  const std::vector<float> settings{1, 0, static_cast<float>(loss_id)};
  float loss = 0;
  Plan<float> plan(engine, step.graph, 1);
  plan.bind(step.parameters, 0, std::span<float>(parameters));
  plan.bind(step.moments, 0, std::span<float>(moments));
  plan.bind(step.opponent, 0, std::span<const float>(frozen));
  plan.bind(step.noise, 0, std::span<const float>(noise));
  plan.bind(step.settings, 0, std::span<const float>(settings));
  plan.bind(step.loss, 0, std::span<float>(&loss, 1));
  Buffer<float> samples;
  if (role == "discriminator") {
    samples = floats(expected().at("real"), size(step.samples));
    plan.bind(step.samples, 0, std::span<float>(samples));
  }
  plan.run();
  EXPECT_NEAR(loss, expected().at(prefix + ".loss")[0], 1e-6) << prefix;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(before[i] - parameters[i], gradient[i], 5e-7) << prefix << i;
  }
}

TEST(Framework, training_steps_have_its_losses_and_gradients) {
  const GanSpec gan = testing::tiny_gan();
  for (const Engine& engine : testing::engines()) {
    for (LossId loss = 0; loss < losses().size(); ++loss) {
      expect_step(engine, generator_step_graph(gan, kMoveByGradient, kBatch), "generator",
                  "discriminator", loss);
      expect_step(engine, discriminator_step_graph(gan, kMoveByGradient, kBatch), "discriminator",
                  "generator", loss);
    }
  }
}

TEST(Framework, cross_entropy_has_its_loss_and_gradient) {
  for (const Engine& engine : testing::engines()) {
    Graph g;
    const SlotId logits = g.add_slot("logits", 20, Slot::Access::kRead);
    const SlotId labels = g.add_slot("labels", 5, Slot::Access::kRead);
    const SlotId out = g.add_slot("out", 21, Slot::Access::kReadWrite);
    const std::vector<ValueId> in{g.view(logits, 0, {5, 4}), g.view(labels, 0, {5})};
    g.place(g.apply(kCrossEntropy, in), out, 20);
    g.place(g.apply(kCrossEntropyGradient, in), out, 0);
    const Buffer<float> x = floats(expected().at("cross_entropy.logits"), 20);
    const Buffer<float> y = floats(expected().at("cross_entropy.labels"), 5);
    Buffer<float> result(21);
    Plan<float> plan(engine, g, 1);
    plan.bind(logits, 0, std::span<const float>(x));
    plan.bind(labels, 0, std::span<const float>(y));
    plan.bind(out, 0, std::span<float>(result));
    plan.run();
    EXPECT_NEAR(result[20], expected().at("cross_entropy.loss")[0], 1e-6);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(result[i], expected().at("cross_entropy.gradient")[i], 1e-7);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn
