#include "nn/train/gan_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "nn/choosy_device.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/gan_training.hpp"
#include "nn/graph/convolution_table.hpp"
#include "nn/graph/operations.hpp"
#include "nn/step_run.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::gan_step_test {
namespace {

using namespace testing::gan_training;

// To the bit, but where the device's library may choose.
void expect_independent_models(Device& device, const Training& training) {
  const GanSpec& gan = training.gan;
  const bool is_choosy = testing::chooses_by_number_of_models(device);
  const std::uint32_t n_steps = is_choosy ? 1 : 2;
  std::vector<Pair> together{Pair(gan, 1), Pair(gan, 2), Pair(gan, 3)};
  train(device, training, together, n_steps);
  for (std::uint32_t m = 0; m < 3; ++m) {
    std::vector<Pair> alone{Pair(gan, m + 1)};
    train(device, training, alone, n_steps);
    if (is_choosy) {
      expect_near(alone[0], together[m], 5e-5);
    } else {
      EXPECT_EQ(alone[0], together[m]) << device.name();
    }
  }
}

TEST(GanStep, a_model_does_not_depend_on_its_neighbours_in_the_plan) {
  for (const auto& device : testing::devices()) {
    expect_independent_models(*device, {make_model("mlp-2d")});
    for (const Training& training : with_options()) expect_independent_models(*device, training);
  }
  testing::ChoosyDevice choosy;
  expect_independent_models(choosy, {make_model("mlp-2d")});
  expect_independent_models(choosy, {testing::tiny_image_gan(), 4});
}

TEST(GanStep, a_device_that_chooses_by_the_number_of_models_has_other_bits) {
  const Training training{make_model("mlp-2d")};
  testing::ChoosyDevice device;
  std::vector<Pair> together{Pair(training.gan, 1), Pair(training.gan, 2)};
  std::vector<Pair> alone{Pair(training.gan, 1)};
  train(device, training, together, 1);
  train(device, training, alone, 1);
  EXPECT_NE(alone[0], together[0]);
}

TEST(GanStep, engines_take_the_same_steps_with_options) {
  for (const Training& training : with_options()) {
    HostDevice host;
    std::vector<Pair> judge{Pair(training.gan)};
    train(host, training, judge, 1);
    for (const auto& device : testing::devices()) {
      std::vector<Pair> other{Pair(training.gan)};
      train(*device, training, other, 1);
      expect_near(other[0], judge[0], 5e-5);
      EXPECT_EQ(training.options.average_decay > 0, judge[0].average != Pair(training.gan).average);
    }
  }
}

// The loss of a discriminator's first step, fed like this.
float loss_after(const Training& training, const SampleSource& source, auto change) {
  HostDevice host;
  Pair p(training.gan);
  UploadScope uploads(host);
  DiscriminatorStep step(host, training.gan, {}, source, training.batch, 1, training.options);
  const std::vector<std::uint32_t> samples = indices(0, training.batch);
  const std::vector<std::uint32_t> others = indices(1, training.batch);
  StepFeed feed = feed_of(1, 0, samples);
  change(feed, others);
  const Uploaded uploaded(uploads, p, kRate, 0);
  step.bind(0, uploaded.d, uploaded.g.parameters);
  step.feed(0, feed);
  step.run();
  return step.loss(0);
}

// Each of what it is fed with changes a step: none is left unread.
TEST(GanStep, all_that_a_step_is_fed_with_changes_it) {
  const Training conditional = with_options().front();  // augmented, too
  const testing::DrawnSamples source = samples_for(conditional.gan);
  const auto loss = [&](auto change) { return loss_after(conditional, source, change); };
  const float plain = loss([](StepFeed&, auto&) {});
  EXPECT_EQ(plain, loss([](StepFeed&, auto&) {}));
  EXPECT_NE(plain, loss([](StepFeed& f, auto&) { f.noise = Random(2, Purpose::kTest); }));
  EXPECT_NE(plain, loss([](StepFeed& f, auto&) { f.first_row = 1; }));
  EXPECT_NE(plain, loss([](StepFeed& f, auto&) { f.uniforms = Random(2, Purpose::kTest); }));
  EXPECT_NE(plain, loss([](StepFeed& f, auto&) { f.step = 1; }));
  EXPECT_NE(plain, loss([](StepFeed& f, auto& others) { f.samples = others; }));
  const testing::DrawnSamples other_classes(conditional.gan.sample(), 2);
  EXPECT_NE(plain, loss_after(conditional, other_classes, [](StepFeed&, auto&) {}));
}

// A step in the handed form, on the same numbers as `train` draws in its first one.
void expect_what_is_handed(const Training& training, bool is_generator) {
  const GanSpec& gan = training.gan;
  const std::uint32_t batch = training.batch;
  const StepOptions& options = training.options;
  const auto graph = is_generator ? generator_step_graph : discriminator_step_graph;
  testing::StepRun<float> run({}, graph(gan, training.optimizer, batch, options, {}));
  const StepGraph& step = run.step();
  Pair p(gan);
  const testing::DrawnSamples source = samples_for(gan);
  const std::vector<std::uint32_t> samples = indices(0, batch);
  Buffer<float> real(std::size_t{batch} * gan.sample());
  source.read(samples, real);
  if (step.samples) run.fill(*step.samples, real);
  if (gan.n_condition_channels > 0) {
    for (std::size_t i = 0; i < run.at(*step.inputs).size(); ++i) {
      const std::size_t n = gan.n_condition_channels;
      run.at(*step.inputs)[i] = real[i / n * gan.discriminator.inputs.back() + i % n];
    }
  } else {
    Random(0, Purpose::kGeneratorNoise).normals(0, batch, gan.latent(), run.at(*step.inputs));
  }
  for (std::uint32_t i = 0; step.labels && i < batch; ++i) {
    const auto in_turn = static_cast<float>(i % gan.n_classes());
    run.at(*step.labels)[i] = is_generator ? in_turn : static_cast<float>(source.label(samples[i]));
    if (!is_generator) run.at(*step.labels)[batch + i] = in_turn;
  }
  Buffer<float> uniforms(step.n_uniforms);
  Random(0, Purpose::kGeneratorUniforms).uniforms(0, uniforms);
  std::span<const float> rest(uniforms);
  for (const SlotId slot : step.uniforms) {
    run.fill(slot, rest.first(run.at(slot).size()));
    rest = rest.subspan(run.at(slot).size());
  }
  run.fill(*step.opponent, is_generator ? p.d : p.g);
  if (step.average) run.fill(*step.average, p.average);
  run.at(step.settings).front() = 1e-3f;
  run.loss(is_generator ? p.g : p.d);

  HostDevice host;
  UploadScope uploads(host);
  const Uploaded uploaded(uploads, p, kRate, 0);
  const auto drawn = [&](auto program) {
    program.bind(0, is_generator ? uploaded.g : uploaded.d,
                 is_generator ? uploaded.d.parameters : uploaded.g.parameters);
    program.feed(0, feed_of(0, 0, samples));
    program.run();
  };
  if (is_generator) {
    drawn(GeneratorStep(host, gan, {}, source, batch, 1, options));
  } else {
    drawn(DiscriminatorStep(host, gan, {}, source, batch, 1, options));
  }
  EXPECT_TRUE(std::ranges::equal(run.at(step.parameters), is_generator ? p.g : p.d));
}

TEST(GanStep, a_step_draws_what_it_could_be_handed) {
  for (const Training& training : with_options()) {
    for (const bool is_generator : {true, false}) expect_what_is_handed(training, is_generator);
  }
}

// This does not hold for Eigen's square roots, which differ at the end of a range.
TEST(GanStep, updates_made_together_are_those_made_one_by_one) {
  for (const Training& training : with_options()) {
    for (const bool is_generator : {true, false}) {
      const GanSpec& gan = training.gan;
      const auto graph = is_generator ? generator_step_graph : discriminator_step_graph;
      const auto after = [&](bool is_together) {
        testing::StepRun<float> run(testing::engines().back(),
                                    graph(gan, {.weight_clip = 0.05}, training.batch,
                                          training.options, {nullptr, is_together}));
        const NetworkSpec& own = is_generator ? gan.generator : gan.discriminator;
        const NetworkSpec& other = is_generator ? gan.discriminator : gan.generator;
        run.draw(gan.n_classes());
        run.fill(*run.step().opponent, testing::initial(other, 3));
        run.loss(testing::initial(own, 4));
        const auto copied = [&](SlotId slot) {
          return std::vector<float>(run.at(slot).begin(), run.at(slot).end());
        };
        return std::pair(copied(run.step().parameters), copied(run.step().moments[0]));
      };
      const auto [together, together_moments] = after(true);
      const auto [one_by_one, moments] = after(false);
      EXPECT_EQ(together_moments, moments);
      EXPECT_EQ(together, one_by_one);
    }
  }
}

TEST(GanStep, ga1_ga4_micro_batches_make_the_gradient_of_the_batch) {
  for (const Training& training : without_batch_norm()) {
    for (const auto& device : testing::devices()) {
      const Pair whole = after_a_step(*device, training, 1);
      for (const std::uint32_t n : {2U, 3U, training.batch}) {
        expect_near(after_a_step(*device, training, n), whole, 1e-6);
      }
    }
  }
}

// Spectral norm, batch norm and all that is drawn, on fewer threads than there are micro-batches
// and on more; and models in turn.
TEST(GanStep, micro_batches_have_the_same_bits_on_any_number_of_threads) {
  prepare_compute_thread();
  std::vector<Training> trainings = with_options();
  trainings.push_back({testing::tiny_image_gan(), 7});
  for (Training& training : trainings) {
    training.options.n_micro_batches = std::min(3U, training.batch);
    for (const Engine& engine : testing::engines()) {
      const auto after = [&](std::uint32_t n_threads) {
        Engine with_threads = engine;
        with_threads.n_threads = n_threads;
        HostDevice host(with_threads);
        std::vector<Pair> pairs{Pair(training.gan, 1), Pair(training.gan, 2)};
        train(host, training, pairs, 2);
        return pairs;
      };
      const std::vector<Pair> one = after(1);
      for (const std::uint32_t n_threads : {2U, 4U}) EXPECT_EQ(after(n_threads), one);
    }
  }
}

TEST(GanStep, statistics_of_samples_are_those_of_a_micro_batch) {
  HostDevice host;
  const Training batch_norm{testing::tiny_image_gan(), 4};
  const Training dragan{make_model("mlp-2d"), 8, {.penalty = &find_penalty("dragan")}};
  for (const Training& training : {batch_norm, dragan}) {
    const Pair whole = after_a_step(host, training, 1);
    const Pair cut = after_a_step(host, training, 2);
    EXPECT_GT(testing::relative_l2(cut.d_moments, whole.d_moments), 1e-3);
  }
}

// Two statistics of a batch in one pass and one in another, classes, running statistics, and
// micro-batches of one sample.
TEST(GanStep, sbn_synchronised_micro_batches_make_the_step_of_the_batch) {
  const Training images{testing::tiny_image_gan(), 7, {.sync_batch_norm = true}};
  const Training classes{small_residual_gan(), 5, {.average_decay = 0.9, .sync_batch_norm = true}};
  for (const Training& training : {images, classes}) {
    for (const auto& device : testing::devices()) {
      const Pair whole = after_a_step(*device, training, 1);
      for (const std::uint32_t n : {2U, 3U, training.batch}) {
        const Pair cut = after_a_step(*device, training, n);
        expect_near(cut, whole, 1e-5);
        expect_near_statistics(training.gan, cut, whole, 1e-5);
      }
    }
  }
}

// Penalties of a critic without batch norm, against a generator with it.
TEST(GanStep, sbn_penalties_of_synchronised_micro_batches_are_those_of_the_batch) {
  HostDevice host;
  for (const char* const penalty : {"r1", "wgan-gp"}) {
    const Training training{
        small_residual_gan(), 5, {.penalty = &find_penalty(penalty), .sync_batch_norm = true}};
    const Pair whole = after_a_step(host, training, 1);
    for (const std::uint32_t n : {2U, 5U}) {
      expect_near(after_a_step(host, training, n), whole, 1e-5);
    }
  }
}

// Next to nothing: Adam's first step goes by the sign of a gradient, and where that is but rounding
// the generators would differ by twice the rate, and all that follows more.
constexpr float kTinyRate = 1e-7f;

TEST(GanStep, engines_take_the_same_steps_with_convolutions) {
  for (const GanSpec& gan : {testing::tiny_image_gan(), make_model("dcgan28")}) {
    HostDevice host;
    const Training training{.gan = gan, .batch = kSmallBatch, .rate = kTinyRate};
    std::vector<Pair> judge{Pair(gan)};
    train(host, training, judge, 1);
    for (const auto& device : testing::devices()) {
      std::vector<Pair> other{Pair(gan)};
      train(*device, training, other, 1);
      expect_near(other[0], judge[0], 5e-5);
      const std::size_t statistics = parameter_layout(gan.discriminator).statistics.front().offset;
      EXPECT_LT(testing::relative_l2(std::span(other[0].d).subspan(statistics),
                                     std::span(judge[0].d).subspan(statistics)),
                1e-6);
    }
  }
}

// Whole steps, in which values lie where cuDNN reads them and copies are found again, of two
// models. An H200 needed 2.6e-2 in tf32, and less than the tolerance in bf16.
TEST(GanStep, devices_take_the_same_steps_in_each_precision) {
  if (testing::devices_in(Precision::kBf16).empty()) GTEST_SKIP() << "nothing here computes in it";
  const GanSpec gan = make_model("dcgan28");
  const Training training{.gan = gan, .batch = kSmallBatch, .rate = kTinyRate};
  HostDevice host({Backend::kOneDnn, detect_numerics_level()});
  std::vector<Pair> wanted{Pair(gan, 1), Pair(gan, 2)};
  train(host, training, wanted, 1);
  for (const auto& [precision, tolerance] :
       {std::pair(Precision::kTf32, 4e-2), std::pair(Precision::kBf16, 1e-1)}) {
    for (const auto& device : testing::devices_in(precision)) {
      std::vector<Pair> found{Pair(gan, 1), Pair(gan, 2)};
      train(*device, training, found, 1);
      for (std::size_t m = 0; m < found.size(); ++m) expect_near(found[m], wanted[m], tolerance);
    }
  }
}

// The tiles of the convolutions of a pair's steps where they fit: of passes, forward and backward,
// and of weights' gradients.
struct Tiles {
  ConvolutionAlgorithm of_passes, of_weight_gradients;
};

ConvolutionTable convolutions_in(const Tiles& tiles, const Engine& engine,
                                 const Training& training) {
  ConvolutionTable table;
  for (const auto step_graph : {generator_step_graph, discriminator_step_graph}) {
    const Graph graph =
        step_graph(training.gan, training.optimizer, training.batch, training.options, {}).graph;
    for (const ValueId value : graph.live_operations()) {
      if (!is_convolution(graph, value)) continue;
      const Operation& operation = *graph.node(value).operation;
      const ConvolutionAlgorithm algorithm =
          &operation == &kConvolutionWeightGradient ? tiles.of_weight_gradients : tiles.of_passes;
      if (!fits(algorithm, operation, convolution_shape(graph, value))) continue;
      table.set(case_of(graph, value, convolution_level(engine)), {algorithm});
    }
  }
  return table;
}

// How far the gradients of a step in bf16 are from those in single precision, for each of these
// tiles: the generator's and the discriminator's.
std::vector<std::array<double, 2>> distances_in_bf16(Engine engine,
                                                     const std::vector<Tiles>& all_tiles) {
  const Training training{.gan = make_model("dcgan32"), .batch = 16, .rate = kTinyRate};
  HostDevice host({Backend::kOneDnn, engine.level});
  std::vector<Pair> exact{Pair(training.gan)};
  train(host, training, exact, 1);
  std::vector<std::array<double, 2>> distances;
  for (const Tiles& tiles : all_tiles) {
    const ConvolutionTable table = convolutions_in(tiles, engine, training);
    engine.convolutions = &table;
    HostDevice device(engine);
    std::vector<Pair> found{Pair(training.gan)};
    train(device, training, found, 1);
    distances.push_back({testing::relative_l2(found[0].g_moments, exact[0].g_moments),
                         testing::relative_l2(found[0].d_moments, exact[0].d_moments)});
  }
  return distances;
}

// Points of larger tiles, rounded, lose twice as much. In a gradient of weights that is little
// beside what has been lost on the way to it; what passes lose goes on through the layers behind
// them (ADR 72).
TEST(GanStep, gradients_in_bf16_lose_by_passes_in_4x4_tiles_not_by_gradients_of_weights) {
  const Engine engine = fastest_engine(Precision::kBf16);
  if (convolution_level(engine) != NumericsLevel::kAvx512Bf16) GTEST_SKIP() << "no such pairs here";
  constexpr auto kSmall = ConvolutionAlgorithm::kWinograd;
  constexpr auto kLarge = ConvolutionAlgorithm::kWinograd4;
  const auto distances =
      distances_in_bf16(engine, {{kSmall, kSmall}, {kSmall, kLarge}, {kLarge, kLarge}});
  for (std::size_t i = 0; i < 2; ++i) {
    const double small = distances[0][i];
    EXPECT_GT(small, 1e-2);
    EXPECT_NE(distances[1][i], small);
    EXPECT_LT(distances[1][i], 1.02 * small);
    EXPECT_GT(distances[2][i], 1.05 * small);
    EXPECT_LT(distances[2][i], 1.5 * small);
  }
}

TEST(GanStep, engines_take_the_same_steps) {
  const Training training{.gan = make_model("mlp"), .rate = kTinyRate};
  HostDevice host;
  std::vector<Pair> judge{Pair(training.gan)};
  train(host, training, judge, 1);
  for (const auto& device : testing::devices()) {
    std::vector<Pair> other{Pair(training.gan)};
    train(*device, training, other, 1);
    // The first moment is a tenth part of the gradient: compare that, not Adam's signed steps.
    expect_near(other[0], judge[0], 1e-5);
  }
}

// More of them than a device may be told of ahead (nn/cuda/plan.hpp).
TEST(GanStep, engines_take_many_steps_alike) {
  const Training training{.gan = make_model("mlp-2d"), .rate = kTinyRate};
  HostDevice host;
  constexpr std::uint32_t kSteps = 20;
  std::vector<Pair> judge{Pair(training.gan)};
  train(host, training, judge, kSteps);
  for (const auto& device : testing::devices()) {
    std::vector<Pair> other{Pair(training.gan)};
    train(*device, training, other, kSteps);
    expect_near(other[0], judge[0], 1e-5);
  }
}

// Z-4: the host makes the updates where moments are on it, with the same bits.
TEST(GanStep, z4_moments_may_stay_on_the_host) {
  for (const std::string_view optimizer : {"adam", "adamw", "adabelief", "rmsprop", "sgd"}) {
    Training training{.gan = make_model("mlp-2d"),
                      .optimizer = {.kind = find_optimizer(optimizer)}};
    for (const auto& device : testing::devices()) {
      std::vector<Pair> wanted{Pair(training.gan), Pair(training.gan, 1)};
      std::vector<Pair> found = wanted;
      training.optimizer.moments_on_host = false;
      train(*device, training, wanted, 3);
      training.optimizer.moments_on_host = true;
      train(*device, training, found, 3);
      EXPECT_EQ(found, wanted) << optimizer << " on " << device->name();
    }
  }
}

TEST(GanStep, a_generator_step_leaves_the_discriminator_alone_and_the_padding_zero) {
  const GanSpec gan = make_model("mlp-2d");
  const testing::DrawnSamples source = samples_for(gan);
  const std::vector<std::uint32_t> samples = indices(0, kBatch);
  for (const auto& device : testing::devices()) {
    Pair p(gan);
    const Pair before = p;
    GeneratorStep step(*device, gan, {}, source, kBatch, 1);
    UploadScope uploads(*device);
    const Uploaded uploaded(uploads, p, kRate, 0);
    step.bind(0, uploaded.g, uploaded.d.parameters);
    step.feed(0, feed_of(1, 0, samples));
    step.run();
    uploads.finish();
    EXPECT_EQ(p.d, before.d);
    EXPECT_NE(p.g, before.g);
    const std::size_t n = parameter_layout(gan.generator).n_parameters;
    EXPECT_TRUE(std::all_of(p.g.begin() + static_cast<std::ptrdiff_t>(n), p.g.end(),
                            [](float v) { return v == 0; }));
  }
}

}  // namespace
}  // namespace lipizz::nn::gan_step_test
