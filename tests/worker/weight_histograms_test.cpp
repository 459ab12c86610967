#include "worker/weight_histograms.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "nn/network/network.hpp"

namespace lipizz::worker::weight_histograms_test {
namespace {

// Two networks of a layer each: two inputs to three outputs, and three to one.
nn::GanSpec small_model() {
  nn::GanSpec model;
  model.generator = {.inputs = {2}, .layers = {}};
  append(model.generator, {.outputs = 3});
  model.discriminator = {.inputs = {3}, .layers = {}};
  append(model.discriminator, {.outputs = 1});
  return model;
}

coev::Genome counting_genome(const nn::NetworkSpec& network) {
  coev::Genome genome;
  genome.parameters = nn::SharedBuffer<float>(nn::parameter_layout(network).n_padded);
  std::ranges::generate(genome.parameters.writable(), [v = 0.0F]() mutable { return ++v; });
  return genome;
}

TEST(WeightHistograms, are_those_of_each_tensor_under_its_name) {
  const nn::GanSpec model = small_model();
  const coev::Pair pair{counting_genome(model.generator), counting_genome(model.discriminator)};
  const auto all = weight_histograms(pair, model);
  ASSERT_EQ(all.size(), 4);
  EXPECT_EQ(all[0].tensor, "generator/0.weight");
  EXPECT_EQ(all[0].histogram.min, 1);
  EXPECT_EQ(all[0].histogram.max, 6);
  EXPECT_EQ(all[0].histogram.sum, 21);
  EXPECT_EQ(all[1].tensor, "generator/0.bias");
  EXPECT_EQ(all[1].histogram.min, 7);
  EXPECT_EQ(all[1].histogram.max, 9);
  EXPECT_EQ(all[2].tensor, "discriminator/0.weight");
  EXPECT_EQ(all[2].histogram.sum, 6);
  EXPECT_EQ(all[3].tensor, "discriminator/0.bias");
  EXPECT_EQ(all[3].histogram.min, 4);
  EXPECT_EQ(all[3].histogram.max, 4);
}

}  // namespace
}  // namespace lipizz::worker::weight_histograms_test
