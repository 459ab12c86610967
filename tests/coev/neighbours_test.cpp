#include "coev/neighbours.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "coev/fitness_evaluator.hpp"
#include "coev/publication.hpp"
#include "coev/support.hpp"
#include "core/error.hpp"

namespace lipizz::coev::neighbours_test {
namespace {

struct Sender {
  Settings settings = testing::tiny_settings();
  Cell cell = make_cell(settings, {4});
  Neighbours neighbours{settings};

  Bytes publication(Generation generation) {
    cell.generation = generation;
    return write_publication(cell, settings);
  }
};

TEST(Neighbours, hold_what_was_sent) {
  Sender s;
  s.neighbours.receive({4}, 3, s.publication(3));
  EXPECT_EQ(s.neighbours.at({4}, 3), s.cell.centre);
  EXPECT_EQ(s.neighbours.latest({4}), s.cell.centre);
}

TEST(Neighbours, have_the_senders_fitness) {
  Sender s;
  s.neighbours.receive({4}, 0, s.publication(0));
  const testing::ToyDataset dataset(testing::kTinySamples);
  for (const auto& device : testing::devices()) {
    const auto fitness = [&](const Pair& pair) {
      FitnessEvaluator evaluator(*device, s.settings, dataset);  // each rank has its own
      evaluator.draw_batch({0}, 1, 40);
      const std::vector<std::span<const float>> g{pair.generator.parameters};
      const std::vector<std::span<const float>> d{pair.discriminator.parameters};
      const PairLosses table = evaluator.all_pairs(g, d);
      return std::pair(table.generator[0], table.real[0] + table.fake[0]);
    };
    EXPECT_EQ(fitness(s.neighbours.at({4}, 0)), fitness(s.cell.centre));
  }
}

TEST(Neighbours, take_the_next_publication_in_the_place_of_the_last) {
  Sender s;
  s.neighbours.receive({4}, 3, s.publication(3));
  s.cell.centre.generator.parameters.writable()[0] = 42;
  s.neighbours.receive({4}, 4, s.publication(4));
  EXPECT_EQ(s.neighbours.at({4}, 4).generator.parameters[0], 42);
  EXPECT_THROW((void)s.neighbours.at({4}, 3), InternalError);
}

TEST(Neighbours, do_not_mind_the_same_publication_twice) {
  Sender s;
  const Bytes bytes = s.publication(1);
  s.neighbours.receive({4}, 1, bytes);
  s.neighbours.receive({4}, 1, bytes);
  EXPECT_EQ(s.neighbours.at({4}, 1), s.cell.centre);
}

TEST(Neighbours, refuse_another_cell_or_generation) {
  Sender s;
  EXPECT_THROW(s.neighbours.receive({5}, 1, s.publication(1)), CommError);
  EXPECT_THROW(s.neighbours.receive({4}, 2, s.publication(1)), CommError);
}

TEST(Neighbours, refuse_what_is_damaged_and_do_not_hand_it_out) {
  Sender s;
  Bytes bytes = s.publication(1);
  bytes.pop_back();
  EXPECT_THROW(s.neighbours.receive({4}, 1, bytes), CommError);
  EXPECT_THROW((void)s.neighbours.at({4}, 1), InternalError);
  bytes.resize(bytes.size() + 2);
  EXPECT_THROW(s.neighbours.receive({4}, 1, bytes), CommError);
  EXPECT_THROW((void)s.neighbours.latest({4}), InternalError);
}

TEST(Neighbours, refuse_another_network) {
  Sender s;
  Settings other = s.settings;
  other.model.generator.layers[0].outputs = 50;
  Neighbours neighbours(other);
  EXPECT_THROW(neighbours.receive({4}, 1, s.publication(1)), CommError);
}

TEST(Neighbours, refuse_what_is_not_finite) {
  Sender s;
  s.cell.centre.discriminator.parameters.writable()[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(s.neighbours.receive({4}, 1, s.publication(1)), CommError);
}

TEST(Neighbours, keep_the_newest_of_what_comes_from_any_generation) {
  Sender s;
  EXPECT_EQ(s.neighbours.latest_generation({4}), std::nullopt);
  const Bytes old = s.publication(3);
  s.neighbours.receive_newer({4}, old);
  EXPECT_EQ(s.neighbours.latest_generation({4}), 3U);
  s.cell.centre.generator.parameters.writable()[0] = 42;
  s.neighbours.receive_newer({4}, s.publication(7));
  s.neighbours.receive_newer({4}, old);
  EXPECT_EQ(s.neighbours.latest_generation({4}), 7U);
  EXPECT_EQ(s.neighbours.latest({4}).generator.parameters[0], 42);
}

TEST(Neighbours, refuse_of_any_generation_what_they_would_refuse_of_one) {
  Sender s;
  EXPECT_THROW(s.neighbours.receive_newer({5}, s.publication(1)), CommError);
  Bytes bytes = s.publication(1);
  bytes.pop_back();
  EXPECT_THROW(s.neighbours.receive_newer({4}, bytes), CommError);
  EXPECT_EQ(s.neighbours.latest_generation({4}), std::nullopt);
  bytes.resize(6);
  EXPECT_THROW(s.neighbours.receive_newer({4}, bytes), CommError);
}

TEST(Neighbours, forget_what_is_old) {
  Sender s;
  s.neighbours.receive({4}, 3, s.publication(3));
  s.neighbours.drop_before(3);
  EXPECT_NO_THROW((void)s.neighbours.latest({4}));
  s.neighbours.drop_before(4);
  EXPECT_THROW((void)s.neighbours.latest({4}), InternalError);
}

}  // namespace
}  // namespace lipizz::coev::neighbours_test
