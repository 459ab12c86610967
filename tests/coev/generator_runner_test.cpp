#include "coev/generator_runner.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "coev/support.hpp"

namespace lipizz::coev::generator_runner_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::uint32_t kRows = 600;  // more than two calls

TEST(GeneratorRunner, makes_a_sample_of_each_row_in_order) {
  nn::GanSpec model = testing::tiny_settings().model;
  model.generator = testing::affine_network();
  const nn::Buffer<float> generator = testing::affine_generator(2, 1, -1);
  for (const auto& device : testing::devices()) {
    GeneratorRunner runner(*device, model);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;
    std::vector<float> samples;
    runner.run(
        generator, kRows,
        [&](std::uint32_t first, std::uint32_t n, std::span<float> inputs, std::span<float>) {
          calls.emplace_back(first, n);
          for (std::uint32_t i = 0; i < inputs.size(); ++i) {
            inputs[i] = static_cast<float>(2 * first + i);
          }
        },
        [&](std::span<const float> part) {
          samples.insert(samples.end(), part.begin(), part.end());
        });
    EXPECT_THAT(calls, ElementsAre(Pair(0, 250), Pair(250, 250), Pair(500, 100)));
    ASSERT_EQ(samples.size(), 2 * kRows);
    for (std::uint32_t row = 0; row < kRows; ++row) {
      EXPECT_EQ(samples[2 * row], static_cast<float>(4 * row + 1));
      EXPECT_EQ(samples[2 * row + 1], static_cast<float>(4 * row + 1));
    }
  }
}

TEST(GeneratorRunner, tells_generators_the_classes_of_rows) {
  const nn::GanSpec model = testing::class_conditional_settings().model;
  const nn::Buffer<float> generator = nn::testing::initial(model.generator, 3);
  GeneratorRunner runner(testing::host(), model);
  const auto sample_of = [&](float wanted) {
    std::vector<float> made;
    runner.run(
        generator, 1,
        [&](std::uint32_t, std::uint32_t, std::span<float> inputs, std::span<float> labels) {
          std::ranges::fill(inputs, 0.5f);
          ASSERT_EQ(labels.size(), 1U);
          labels[0] = wanted;
        },
        [&](std::span<const float> part) { made.assign(part.begin(), part.end()); });
    return made;
  };
  EXPECT_NE(sample_of(0), sample_of(1));
  EXPECT_EQ(sample_of(1), sample_of(1));
}

}  // namespace
}  // namespace lipizz::coev::generator_runner_test
