#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "nn/gradients.hpp"
#include "nn/loss.hpp"
#include "nn/operations.hpp"
#include "nn/plan.hpp"
#include "nn/programs.hpp"
#include "nn/support.hpp"
#include "nn/training_graphs.hpp"

// Our gradients against another framework's: reference/*.txt were written by PyTorch.
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

// A pair as the other framework had it, and what came of it.
struct Case {
  GanSpec gan;
  Table table;
  [[nodiscard]] const std::vector<double>& at(const std::string& name) const {
    return table.at(name);
  }
};

const Case& perceptrons() {
  static const Case found{testing::tiny_gan(),
                          read_table(LIPIZZ_REFERENCE_DIR "/gan_gradients.txt")};
  return found;
}

const Case& convolutions() {
  static const Case found{testing::tiny_image_gan(),
                          read_table(LIPIZZ_REFERENCE_DIR "/image_gan_gradients.txt")};
  return found;
}

Buffer<float> floats(const std::vector<double>& values, std::size_t size) {
  Buffer<float> result(size);
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = static_cast<float>(values[i]);
  return result;
}

// A network's buffer with these parameters, or statistics, in place of its own.
Buffer<float> with(const NetworkSpec& network, const std::vector<double>& values,
                   std::size_t offset = 0) {
  Buffer<float> buffer = testing::initial(network, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    buffer[offset + i] = static_cast<float>(values[i]);
  }
  return buffer;
}

// With plain SGD at rate 1 and zero momentum, the step's movement is the gradient.
constexpr OptimizerSpec kMoveByGradient{.kind = OptimizerKind::kSgd, .beta1 = 0};
constexpr std::uint32_t kBatch = 6;

std::size_t statistics_offset(const NetworkSpec& network) {
  const ParameterLayout layout = parameter_layout(network);
  return layout.statistics.empty() ? layout.n_padded : layout.statistics.front().offset;
}

struct Trained {
  float loss = 0;
  Buffer<float> before;
  Buffer<float> after;
};

Trained run_step(const Engine& engine, const Case& of, const std::string& role, LossId loss_id) {
  const bool is_generator = role == "generator";
  const StepGraph step = is_generator ? generator_step_graph(of.gan, kMoveByGradient, kBatch)
                                      : discriminator_step_graph(of.gan, kMoveByGradient, kBatch);
  const auto& [own, other] = is_generator ? std::tie(of.gan.generator, of.gan.discriminator)
                                          : std::tie(of.gan.discriminator, of.gan.generator);
  const auto size = [&](SlotId slot) { return step.graph.slots()[slot.index].n_elements; };
  Trained result{0, with(own, of.at(role)), with(own, of.at(role))};
  Buffer<float> moments(size(step.moments));
  const Buffer<float> frozen = with(other, of.at(is_generator ? "discriminator" : "generator"));
  const Buffer<float> noise = floats(of.at("noise"), size(*step.inputs));
  const std::vector<float> settings{1, 0, static_cast<float>(loss_id)};
  Plan<float> plan(engine, step.graph, 1);
  plan.bind(step.parameters, 0, std::span<float>(result.after));
  plan.bind(step.moments, 0, std::span<float>(moments));
  plan.bind(*step.opponent, 0, std::span<const float>(frozen));
  plan.bind(*step.inputs, 0, std::span<const float>(noise));
  plan.bind(step.settings, 0, std::span<const float>(settings));
  plan.bind(step.losses, 0, std::span<float>(&result.loss, 1));
  Buffer<float> samples;
  if (!is_generator) {
    samples = floats(of.at("real"), size(*step.samples));
    plan.bind(*step.samples, 0, std::span<float>(samples));
  }
  plan.run();
  return result;
}

// Compares loss, gradient and, where there are any, statistics after one step.
void expect_step(const Engine& engine, const Case& of, const std::string& role, LossId loss_id) {
  const std::string prefix = std::string(losses()[loss_id].name) + "." + role;
  const Trained found = run_step(engine, of, role, loss_id);
  EXPECT_NEAR(found.loss, of.at(prefix + ".loss")[0], 1e-6) << prefix;
  const std::vector<double>& gradient = of.at(prefix + ".gradient");
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(found.before[i] - found.after[i], gradient[i], 5e-7) << prefix << i;
  }
  const NetworkSpec& own = role == "generator" ? of.gan.generator : of.gan.discriminator;
  const auto statistics = of.table.find(prefix + ".statistics");
  if (statistics == of.table.end()) return;
  for (std::size_t i = 0; i < statistics->second.size(); ++i) {
    EXPECT_NEAR(found.after[statistics_offset(own) + i], statistics->second[i], 1e-6) << prefix;
  }
}

TEST(Framework, training_steps_have_its_losses_and_gradients) {
  for (const Engine& engine : testing::engines()) {
    for (LossId loss = 0; loss < losses().size(); ++loss) {
      expect_step(engine, perceptrons(), "generator", loss);
      expect_step(engine, perceptrons(), "discriminator", loss);
    }
  }
}

TEST(Framework, convolutions_and_batch_norm_have_its_losses_gradients_and_statistics) {
  for (const Engine& engine : testing::engines()) {
    expect_step(engine, convolutions(), "generator", find_loss("bce"));
    expect_step(engine, convolutions(), "discriminator", find_loss("bce"));
  }
}

void expect_inference(const Engine& engine, const NetworkSpec& network,
                      const std::vector<double>& parameters, const std::vector<double>& running,
                      const std::vector<double>& input, const std::vector<double>& output) {
  Buffer<float> all = with(network, parameters);
  std::ranges::copy(floats(running, running.size()),
                    all.begin() + static_cast<std::ptrdiff_t>(statistics_offset(network)));
  const Buffer<float> x = floats(input, input.size());
  Buffer<float> y(output.size());
  Inference run(engine, network, kBatch, 1);
  run.bind(0, all, x, y);
  run.run();
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], output[i], 2e-6) << i;
}

TEST(Framework, inference_uses_running_statistics_as_it_does) {
  const Case& of = convolutions();
  for (const Engine& engine : testing::engines()) {
    expect_inference(engine, of.gan.generator, of.at("generator"), of.at("g.running"),
                     of.at("noise"), of.at("inference.samples"));
    expect_inference(engine, of.gan.discriminator, of.at("discriminator"), of.at("d.running"),
                     of.at("real"), of.at("inference.logits"));
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
    const Buffer<float> x = floats(perceptrons().at("cross_entropy.logits"), 20);
    const Buffer<float> y = floats(perceptrons().at("cross_entropy.labels"), 5);
    Buffer<float> result(21);
    Plan<float> plan(engine, g, 1);
    plan.bind(logits, 0, std::span<const float>(x));
    plan.bind(labels, 0, std::span<const float>(y));
    plan.bind(out, 0, std::span<float>(result));
    plan.run();
    EXPECT_NEAR(result[20], perceptrons().at("cross_entropy.loss")[0], 1e-6);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(result[i], perceptrons().at("cross_entropy.gradient")[i], 1e-7);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn
