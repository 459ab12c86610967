#include "coev/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "coev/opponents/history.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::history_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Discriminators meet past generators: three, one of every second generation.
Settings with_past_generators() {
  Settings settings = testing::tiny_settings();
  settings.discriminator.opponents = {kHistoryOpponents, {0.5, 3, 2}};
  return settings;
}

TEST(History, is_of_the_opponents_that_ask_for_it) {
  const Settings settings = with_past_generators();
  EXPECT_EQ(history_spec(settings, NetworkRole::kGenerator).size, 3U);
  EXPECT_EQ(history_spec(settings, NetworkRole::kDiscriminator).size, 0U);
  const std::size_t n = genome_shapes(settings).generator.n_parameters;
  EXPECT_EQ(history_bytes(settings), 3 * n * sizeof(float));
  EXPECT_EQ(history_bytes(testing::tiny_settings()), 0U);
}

TEST(History, keeps_the_last_ones_of_each_period_oldest_first) {
  const Settings settings = with_past_generators();
  Cell cell = make_cell(settings, {0});
  std::vector<float> kept;
  for (Generation generation = 1; generation <= 9; ++generation) {
    cell.centre.generator.parameters.writable()[0] = static_cast<float>(generation);
    remember(settings, cell.centre, generation, cell.history);
    EXPECT_EQ(cell.history.generator.size(),
              history_size(history_spec(settings, NetworkRole::kGenerator), generation));
  }
  for (const nn::SharedBuffer<float>& past : cell.history.generator) kept.push_back(past[0]);
  EXPECT_THAT(kept, ElementsAre(4, 6, 8));
  EXPECT_THAT(cell.history.discriminator, IsEmpty());
}

TEST(History, is_part_of_the_hash_where_there_is_one) {
  const auto digest = [](const History& history) {
    Hasher hasher;
    hash(hasher, history);
    return hasher.digest();
  };
  const History none;
  const History one{.generator = {nn::Buffer<float>(4, 1.0F)}};
  const History other{.generator = {nn::Buffer<float>(4, 2.0F)}};
  EXPECT_EQ(digest(none), Hasher().digest());
  EXPECT_NE(digest(one), digest(none));
  EXPECT_NE(digest(one), digest(other));
}

}  // namespace
}  // namespace lipizz::coev::history_test
