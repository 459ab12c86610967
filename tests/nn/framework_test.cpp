#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "nn/base/loss.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/exec/inference.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"
#include "nn/reference_table.hpp"
#include "nn/step_run.hpp"

// Our gradients against another framework's: reference/*.txt were written by PyTorch.
namespace lipizz::nn::framework_test {
namespace {

using testing::read_table;
using testing::Table;

// A pair as the other framework had it, and what came of it.
struct Case {
  GanSpec gan;
  Table table;
  [[nodiscard]] const std::vector<double>& at(const std::string& name) const {
    return table.at(name);
  }
};

const Case& perceptrons() {
  static const Case found{testing::tiny_gan(), read_table("gan_gradients.txt")};
  return found;
}

const Case& convolutions() {
  static const Case found{testing::tiny_image_gan(), read_table("image_gan_gradients.txt")};
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

constexpr std::uint32_t kBatch = 6;

std::size_t statistics_offset(const NetworkSpec& network) {
  const ParameterLayout layout = parameter_layout(network);
  return layout.statistics.empty() ? layout.n_padded : layout.statistics.front().offset;
}

testing::StepRun<float> run_step(const Engine& engine, const Case& of, const std::string& role,
                                 LossId loss_id) {
  const bool is_generator = role == "generator";
  const auto graph = is_generator ? generator_step_graph : discriminator_step_graph;
  const auto& [own, other] = is_generator ? std::tie(of.gan.generator, of.gan.discriminator)
                                          : std::tie(of.gan.discriminator, of.gan.generator);
  testing::StepRun<float> run(engine, graph(of.gan, testing::kPlainDescent, kBatch, {}, {}));
  const StepGraph& step = run.step();
  run.at(step.settings)[StepSettings::kLoss] = static_cast<float>(loss_id);
  run.fill(*step.opponent, with(other, of.at(is_generator ? "discriminator" : "generator")));
  run.fill(*step.inputs, of.at("noise"));
  if (!is_generator) run.fill(*step.samples, of.at("real"));
  run.loss(with(own, of.at(role)));
  return run;
}

// Compares loss, gradient and, where there are any, statistics after one step.
void expect_step(const Engine& engine, const Case& of, const std::string& role, LossId loss_id) {
  const std::string prefix = std::string(losses()[loss_id].name) + "." + role;
  testing::StepRun<float> found = run_step(engine, of, role, loss_id);
  EXPECT_NEAR(found.at(found.step().losses)[0], of.at(prefix + ".loss")[0], 1e-6) << prefix;
  const std::vector<double>& gradient = of.at(prefix + ".gradient");
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(found.at(found.step().moments[0])[i], gradient[i], 5e-7) << prefix << i;
  }
  const NetworkSpec& own = role == "generator" ? of.gan.generator : of.gan.discriminator;
  const auto statistics = of.table.find(prefix + ".statistics");
  if (statistics == of.table.end()) return;
  for (std::size_t i = 0; i < statistics->second.size(); ++i) {
    EXPECT_NEAR(found.at(found.step().parameters)[statistics_offset(own) + i],
                statistics->second[i], 1e-6)
        << prefix;
  }
}

// The losses that the table has; make_gan_gradients.py writes it.
std::vector<LossId> losses_of(const Case& of) {
  constexpr std::string_view kEnd = ".generator.loss";
  std::vector<LossId> all;
  for (const auto& [name, values] : of.table) {
    if (!name.ends_with(kEnd)) continue;
    all.push_back(find_loss(std::string_view(name).substr(0, name.size() - kEnd.size())));
  }
  return all;
}

TEST(Framework, training_steps_have_its_losses_and_gradients) {
  const std::vector<LossId> known = losses_of(perceptrons());
  EXPECT_GE(known.size(), 8U);
  for (const Engine& engine : testing::engines()) {
    for (const LossId loss : known) {
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

void expect_inference(Device& device, const NetworkSpec& network,
                      const std::vector<double>& parameters, const std::vector<double>& running,
                      const std::vector<double>& input, const std::vector<double>& output) {
  Buffer<float> all = with(network, parameters);
  std::ranges::copy(floats(running, running.size()),
                    all.begin() + static_cast<std::ptrdiff_t>(statistics_offset(network)));
  const Buffer<float> x = floats(input, input.size());
  Buffer<float> y(output.size());
  Inference run(device, network, kBatch, 1);
  testing::infer(device, run, all, x, y);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], output[i], 2e-6) << i;
}

TEST(Framework, inference_uses_running_statistics_as_it_does) {
  const Case& of = convolutions();
  for (const auto& device : testing::devices()) {
    expect_inference(*device, of.gan.generator, of.at("generator"), of.at("g.running"),
                     of.at("noise"), of.at("inference.samples"));
    expect_inference(*device, of.gan.discriminator, of.at("discriminator"), of.at("d.running"),
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
}  // namespace lipizz::nn::framework_test
