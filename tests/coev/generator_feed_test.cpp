#include "coev/generator_feed.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "coev/support.hpp"

namespace lipizz::coev::generator_feed_test {
namespace {

using ::testing::ElementsAre;

TEST(GeneratorFeed, asks_for_the_classes_in_turn) {
  std::vector<float> labels(5);
  ask_for_classes(7, 3, labels);
  EXPECT_THAT(labels, ElementsAre(1, 2, 0, 1, 2));
  ask_for_classes(7, 0, {});
}

TEST(GeneratorFeed, takes_the_first_channels_of_each_pixel) {
  const nn::GanSpec model{{{1, 2, 2}, {}}, {{1, 2, 3}, {}}, 2};
  const std::vector<float> samples{1, 2, 9, 3, 4, 9, 5, 6, 9, 7, 8, 9};
  std::vector<float> inputs(8);
  take_conditions(model, samples, inputs);
  EXPECT_THAT(inputs, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(GeneratorFeed, fills_rows_of_noise_and_classes) {
  const Settings settings = testing::class_conditional_settings();
  const testing::ToyDataset dataset(10, testing::kTinyClasses);
  GeneratorFeed feed(settings.model, &dataset);
  const Random noise(3, Purpose::kTest);
  std::vector<float> inputs(4 * 3);
  std::vector<float> labels(4);
  feed.fill(noise, 5, 4, inputs, labels);
  std::vector<float> expected(4 * 3);
  noise.normals(5, 4, 3, expected);
  EXPECT_EQ(inputs, expected);
  EXPECT_THAT(labels, ElementsAre(2, 0, 1, 2));
}

TEST(GeneratorFeed, fills_rows_of_conditions_from_the_test_samples_and_begins_again) {
  const Settings settings = testing::paired_settings();
  const testing::ToyDataset dataset(10, 0, 1);
  GeneratorFeed feed(settings.model, &dataset);
  std::vector<float> inputs(3);
  feed.fill(Random(3, Purpose::kTest), 18, 3, inputs, {});
  std::vector<float> samples(6);
  dataset.read_test(std::vector<std::uint32_t>{18, 19, 0}, samples);
  EXPECT_THAT(inputs, ElementsAre(samples[0], samples[2], samples[4]));
}

}  // namespace
}  // namespace lipizz::coev::generator_feed_test
