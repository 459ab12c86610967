#include "coev/island.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "coev/support.hpp"
#include "core/error.hpp"
#include "grid/light_cone.hpp"
#include "nn/choosy_device.hpp"
#include "nn/network/layers/dropout.hpp"

namespace lipizz::coev::island_test {
namespace {

using ::testing::ElementsAre;
using Hosting = std::vector<std::vector<CellId>>;  // the cells of each island

// A grid on any number of islands that exchange bytes, as ranks would.
class World {
 public:
  World(const Settings& settings, grid::Torus torus, const Hosting& hosting,
        nn::Device& device = testing::host(),
        std::shared_ptr<const data::Dataset> dataset =
            std::make_shared<testing::ToyDataset>(testing::kTinySamples))
      : dataset_(std::move(dataset)) {
    for (const std::vector<CellId>& hosted : hosting) {
      scorers_.push_back(std::make_unique<testing::MeanScorer>());
      islands_.push_back(
          std::make_unique<Island>(settings, torus, hosted, *dataset_, *scorers_.back(), device));
      for (const CellId cell : hosted) host_[cell] = islands_.back().get();
    }
  }

  Island& host(CellId cell) { return *host_.at(cell); }

  // Publications leave as soon as a cell is decided; `next` says who needs them.
  void exchange(Generation next) {
    std::map<CellId, Bytes> published;
    for (const auto& [cell, island] : host_) published[cell] = island->publication(cell);
    for (const auto& [cell, island] : host_) {
      for (const CellId neighbour : island->needs(cell, next)) {
        if (host_.at(neighbour) == island) {
          island->receive_hosted(cell, neighbour);
        } else {
          island->receive(cell, neighbour, published.at(neighbour));
        }
      }
    }
  }

  void evolve(Generation generation) {
    for (const auto& island : islands_) {
      island->evolve(
          generation, [](CellId) {}, [] { return true; });
    }
  }

  std::map<CellId, CellReport> evaluate(Generation generation) {
    std::map<CellId, CellReport> reports;
    for (const auto& island : islands_) {
      for (CellReport& r : island->evaluate(generation)) reports[r.cell] = std::move(r);
    }
    return reports;
  }

  std::map<CellId, CellReport> generation(Generation generation) {
    exchange(generation);
    evolve(generation);
    return evaluate(generation);
  }

  std::map<CellId, CellReport> finish(Generation last) {
    exchange(last);
    std::map<CellId, CellReport> reports;
    for (const auto& island : islands_) {
      for (CellReport& r : island->finish()) reports[r.cell] = std::move(r);
    }
    return reports;
  }

  // The states of all cells.
  std::map<CellId, CellState> states() const {
    std::map<CellId, CellState> all;
    for (const auto& [cell, island] : host_) all[cell] = island->state(cell);
    return all;
  }

  void resume(const std::map<CellId, CellState>& states) {
    for (const auto& island : islands_) {
      std::vector<CellState> own;
      for (const CellId cell : island->hosted()) own.push_back(states.at(cell));
      island->resume(std::move(own));
    }
  }

  // Per cell, what it is and how it scores after a whole run, or the rest of one from `start`.
  std::vector<std::pair<std::uint64_t, double>> run(Generation generations, Generation start = 0) {
    for (Generation g = start + 1; g <= generations; ++g) generation(g);
    std::vector<std::pair<std::uint64_t, double>> results;
    for (const auto& [cell, report] : finish(generations)) {
      results.emplace_back(host(cell).fingerprint(cell), report.score);
    }
    return results;
  }

 private:
  std::shared_ptr<const data::Dataset> dataset_;
  std::vector<std::unique_ptr<testing::MeanScorer>> scorers_;
  std::vector<std::unique_ptr<Island>> islands_;
  std::map<CellId, Island*> host_;
};

constexpr grid::Torus k2x2{2, 2};
const Hosting kOneIsland{{{0}, {1}, {2}, {3}}};

// The kinds of run that must not depend on who computes what.
std::vector<Settings> all_kinds() {
  std::vector<Settings> kinds(4, testing::tiny_settings());
  kinds[1].operators.selection = kNoSelection;  // the published settings
  kinds[1].operators.migration = kParametersMigration;
  kinds[1].operators.replacement = kGenerationalReplacement;
  kinds[1].operators.rate_mutation = {{kGaussianRateMutation, {1e-4, 0.5, 0.1}}, Period::kBatch};
  kinds[1].discriminator.train_every = 2;
  kinds[2].operators.selection = {kTournamentSelection, {3}};
  kinds[2].operators.fitness.aggregation = kWorstFitness;
  kinds[2].operators.loss_mutation = {kUniformLossMutation, {0, 1, 3}, Period::kGeneration};
  kinds[2].discriminator.optimizer.kind = nn::find_optimizer("rmsprop");
  kinds[3].model.discriminator.layers.insert(kinds[3].model.discriminator.layers.begin() + 1,
                                             {.kind = &nn::kDropoutLayer, .rate = 0.5f});
  kinds[3].steps.penalty = &nn::find_penalty("dragan");
  kinds[3].steps.average_decay = 0.9;
  return kinds;
}

void expect_however_hosted(nn::Device& device, const Settings& settings) {
  // Where the device's library chooses, rounding differs: scores agree, until something is chosen
  // by it.
  const bool is_choosy = nn::testing::chooses_by_number_of_models(device);
  const Generation n_generations = is_choosy ? 1 : 3;
  const auto expected = World(settings, k2x2, kOneIsland, device).run(n_generations);
  for (const Hosting& hosting : {Hosting{{{0}}, {{1}}, {{2}}, {{3}}},
                                 Hosting{{{3}, {0}}, {{2}, {1}}}, Hosting{{{3}, {2}, {1}, {0}}}}) {
    const auto found = World(settings, k2x2, hosting, device).run(n_generations);
    if (!is_choosy) {
      EXPECT_EQ(found, expected) << device.name();
    }
    for (std::size_t cell = 0; cell < expected.size(); ++cell) {
      EXPECT_NEAR(found[cell].second, expected[cell].second, 1e-4) << device.name();
    }
  }
}

TEST(Island, gives_the_same_bits_however_cells_are_hosted) {
  for (const auto& device : nn::testing::devices_and_a_choosy_one()) {
    for (const Settings& settings : all_kinds()) expect_however_hosted(*device, settings);
  }
}

TEST(Island, gives_the_same_bits_with_classes_and_with_pairs) {
  const auto run = [](const Settings& settings, std::uint32_t n_classes, std::uint32_t n_conditions,
                      const Hosting& hosting) {
    const auto dataset =
        std::make_shared<testing::ToyDataset>(testing::kTinySamples, n_classes, n_conditions);
    return World(settings, k2x2, hosting, testing::host(), dataset).run(2);
  };
  const Hosting two{{{3}, {0}}, {{2}, {1}}};
  const Settings classes = testing::class_conditional_settings();
  EXPECT_EQ(run(classes, testing::kTinyClasses, 0, two),
            run(classes, testing::kTinyClasses, 0, kOneIsland));
  const Settings pairs = testing::paired_settings();
  EXPECT_EQ(run(pairs, 0, 1, two), run(pairs, 0, 1, kOneIsland));
}

TEST(Island, samples_with_the_averages_where_they_are_kept) {
  Settings settings = testing::tiny_settings();
  settings.steps.average_decay = 0.9;
  World world(settings, k2x2, {{{0}, {1}}, {{2}, {3}}});
  world.generation(1);
  world.exchange(2);
  const std::map<CellId, CellState> states = world.states();
  for (const auto& [cell, weight, parameters] : world.host({0}).mixture_generators({0})) {
    const Genome& generator = states.at(cell).centre.generator;
    EXPECT_TRUE(std::ranges::equal(parameters, generator.average)) << cell.value;
    EXPECT_FALSE(std::ranges::equal(parameters, generator.parameters)) << cell.value;
  }
}

TEST(Island, refuses_datasets_without_the_classes_or_pairs_of_its_model) {
  const auto open = [](const Settings& settings) { World(settings, k2x2, kOneIsland); };
  EXPECT_THROW(open(testing::class_conditional_settings()), InternalError);
  EXPECT_THROW(open(testing::paired_settings()), InternalError);
}

TEST(Island, gives_the_same_bits_on_a_row_of_three) {
  for (const Settings& settings : all_kinds()) {
    EXPECT_EQ(World(settings, {1, 3}, {{{0}}, {{1}}, {{2}}}).run(3),
              World(settings, {1, 3}, {{{0}, {1}, {2}}}).run(3));
  }
}

TEST(Island, gives_the_same_bits_in_groups_of_any_size) {
  for (Settings settings : all_kinds()) {
    const auto expected = World(settings, k2x2, kOneIsland).run(2);
    for (const std::uint32_t size : {2, 3, 9}) {  // 3 leaves a group of one
      settings.group_size = size;
      EXPECT_EQ(World(settings, k2x2, kOneIsland).run(2), expected) << size;
    }
  }
}

TEST(Island, gives_other_bits_for_another_seed_and_in_each_cell) {
  Settings settings = testing::tiny_settings();
  auto results = World(settings, k2x2, kOneIsland).run(1);
  settings.seed = 2;
  const auto others = World(settings, k2x2, kOneIsland).run(1);
  results.insert(results.end(), others.begin(), others.end());
  std::ranges::sort(results);
  EXPECT_EQ(std::ranges::adjacent_find(results, {}, &std::pair<std::uint64_t, double>::first),
            results.end());
}

TEST(Island, needs_no_one_on_a_grid_of_one_cell) {
  World world(testing::tiny_settings(), {1, 1}, {{{0}}});
  EXPECT_TRUE(world.host({0}).needs({0}, 1).empty());
  const CellReport report = world.generation(1).at({0});
  EXPECT_TRUE(std::isfinite(report.score));
  ASSERT_EQ(report.mixture.size(), 1U);
  EXPECT_EQ(report.mixture[0].weight, 1);
}

TEST(Island, tells_what_metrics_want_to_know) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  const CellReport report = world.generation(1).at({2});
  EXPECT_EQ(report.cell, CellId{2});
  EXPECT_EQ(report.generation, 1U);
  ASSERT_EQ(report.mixture.size(), 3U);
  EXPECT_EQ(report.mixture[0].cell, CellId{2});  // the centre first
  double total = 0;
  for (const CellReport::Member& member : report.mixture) total += member.weight;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_EQ(report.generator.objective, "bce");
  EXPECT_GT(report.generator.loss, 0);
  ASSERT_EQ(report.profile.size(), 5U);
  EXPECT_GT(report.profile[0].seconds, 0);  // train
}

TEST(Island, mixes_its_own_new_generator_with_those_it_holds) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  const auto weights = [&](CellId holder, CellId member) {
    for (const auto& [cell, weight, parameters] : world.host(holder).mixture_generators(holder)) {
      if (cell == member) return std::vector<float>(parameters.begin(), parameters.end());
    }
    return std::vector<float>();
  };
  const std::vector<float> start = weights({1}, {1});
  world.generation(1);
  const std::vector<float> newest = weights({1}, {1});
  EXPECT_NE(newest, start);
  EXPECT_EQ(weights({0}, {1}), start);
  world.finish(1);
  EXPECT_EQ(weights({0}, {1}), newest);
}

TEST(Island, switches_the_neighbourhood_of_all_cells_in_one_generation) {
  Settings settings = testing::tiny_settings();
  settings.neighbourhood = grid::Schedule({{0, &grid::find_neighbourhood("cross5")},
                                           {2, &grid::find_neighbourhood("moore9")},
                                           {3, &grid::find_neighbourhood("isolated")}});
  World world(settings, k2x2, {{{0}, {1}}, {{2}, {3}}});
  EXPECT_THAT(world.host({0}).needs({0}, 1), ElementsAre(CellId{2}, CellId{1}));
  EXPECT_EQ(world.generation(1).at({0}).mixture.size(), 3U);
  for (const auto& [cell, report] : world.generation(2)) EXPECT_EQ(report.mixture.size(), 4U);
  for (const auto& [cell, report] : world.generation(3)) EXPECT_EQ(report.mixture.size(), 1U);
  EXPECT_EQ(world.finish(3).at({3}).mixture.size(), 1U);
}

TEST(Island, lets_a_newcomer_enter_the_mixture_with_the_mean_weight) {
  Settings settings = testing::tiny_settings();
  settings.operators.mixture = {kEvolutionStrategyWeighting,
                                {0, 10}};  // nothing but the switch changes weights
  settings.neighbourhood = grid::Schedule(
      {{0, &grid::find_neighbourhood("isolated")}, {2, &grid::find_neighbourhood("ring3")}});
  World world(settings, k2x2, kOneIsland);
  world.generation(1);
  for (const auto& [cell, report] : world.generation(2)) {
    ASSERT_EQ(report.mixture.size(), 3U);
    for (const auto& member : report.mixture) EXPECT_NEAR(member.weight, 1 / 3.0, 1e-15);
  }
}

TEST(Island, scores_only_when_it_is_time_to) {
  Settings settings = testing::tiny_settings();
  settings.score.every = 2;
  World world(settings, k2x2, kOneIsland);
  EXPECT_TRUE(std::isnan(world.generation(1).at({0}).score));
  EXPECT_FALSE(std::isnan(world.generation(2).at({0}).score));
  EXPECT_TRUE(std::isnan(world.generation(3).at({0}).score));
  EXPECT_FALSE(std::isnan(world.finish(3).at({0}).score));
}

TEST(Island, fingerprints_what_it_has_become) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  const std::uint64_t start = world.host({0}).fingerprint({0});
  EXPECT_EQ(World(testing::tiny_settings(), k2x2, kOneIsland).host({0}).fingerprint({0}), start);
  EXPECT_NE(world.host({1}).fingerprint({1}), start);
  world.generation(1);
  EXPECT_NE(world.host({0}).fingerprint({0}), start);
}

TEST(Island, state_is_that_of_the_cell_at_the_end_of_its_generation) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  EXPECT_EQ(world.host({1}).state({1}), make_cell(testing::tiny_settings(), {1}));
  world.generation(1);
  const CellState state = world.host({1}).state({1});
  EXPECT_EQ(state.id, CellId{1});
  EXPECT_EQ(state.generation, 1U);
  EXPECT_GT(state.centre.generator.step + state.centre.discriminator.step, 0U);
  EXPECT_EQ(state.mixture.cells.front(), CellId{1});
  EXPECT_EQ(state.mixture.cells.size(), 3U);
  EXPECT_THROW((void)world.host({1}).state({9}), InternalError);
}

// From every generation, and hosted otherwise than before.
TEST(Island, resumed_from_its_states_goes_on_to_the_same_bits) {
  constexpr Generation kLast = 3;
  for (const Settings& settings : all_kinds()) {
    World undisturbed(settings, k2x2, kOneIsland);
    std::vector<std::map<CellId, CellState>> saved{undisturbed.states()};
    for (Generation g = 1; g <= kLast; ++g) {
      undisturbed.generation(g);
      saved.push_back(undisturbed.states());
    }
    const auto expected = undisturbed.run(kLast, kLast);
    for (Generation from = 1; from <= kLast; ++from) {
      World resumed(settings, k2x2, {{{3}, {0}}, {{2}, {1}}});
      resumed.resume(saved[from]);
      EXPECT_EQ(resumed.states(), saved[from]);
      EXPECT_EQ(resumed.run(kLast, from), expected) << "from generation " << from;
    }
    World other(settings, k2x2, kOneIsland);
    auto changed = saved[1];
    for (auto& [cell, state] : changed) state.centre.generator.parameters.writable()[0] += 0.5f;
    other.resume(changed);
    EXPECT_NE(other.run(kLast, 1), expected) << "what it resumes from matters";
  }
}

// As a replay does: with each generation fewer cells, of which one alone is scored.
TEST(Island, narrowed_to_a_light_cone_gives_the_same_bits) {
  constexpr grid::Torus kRow{.rows = 1, .columns = 9};
  const std::vector<CellId> target{{4}};
  for (const Settings& settings : all_kinds()) {
    World whole(settings, kRow, {{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}});
    for (Generation g = 1; g <= 3; ++g) whole.generation(g);

    const grid::LightCone cone(kRow, settings.neighbourhood, target, 0, 3);
    const auto start = cone.cells(0);
    World narrowed(settings, kRow, {{start.begin(), start.end()}});
    Island& island = narrowed.host({4});
    island.score_only(target);
    for (Generation g = 1; g <= 3; ++g) {
      std::map<CellId, Bytes> published;
      for (const CellId cell : island.hosted()) published[cell] = island.publication(cell);
      island.narrow(cone.cells(g));
      for (const CellId cell : island.hosted()) {
        for (const CellId neighbour : island.needs(cell, g)) {
          island.receive(cell, neighbour, published.at(neighbour));
        }
      }
      narrowed.evolve(g);
      EXPECT_EQ(narrowed.evaluate(g).size(), cone.cells(g).size());
    }
    EXPECT_EQ(island.state({4}), whole.host({4}).state({4}));
  }
}

TEST(Island, finds_the_final_weights_without_their_score) {
  World scored(testing::tiny_settings(), k2x2, kOneIsland);
  scored.run(1);
  World weighed(testing::tiny_settings(), k2x2, kOneIsland);
  weighed.generation(1);
  weighed.exchange(1);
  weighed.host({0}).weigh_final();
  EXPECT_EQ(weighed.states(), scored.states());
}

TEST(Island, narrows_to_cells_of_its_own_alone) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  const std::vector<CellId> strange{{1}, {7}};
  EXPECT_THROW(world.host({0}).narrow(strange), InternalError);
  Settings in_groups = testing::tiny_settings();
  in_groups.group_size = 2;
  World grouped(in_groups, k2x2, kOneIsland);
  EXPECT_THROW(grouped.host({0}).narrow({}), InternalError);
}

TEST(Island, resumed_on_ring8_goes_on_to_the_same_bits) {
  Settings settings;
  settings.model = nn::make_model("mlp-2d");
  settings.operators.fitness.n_samples = 50;
  settings.score.n_samples = settings.score.n_samples_training = 50;
  const auto ring8 = data::open_dataset("ring8", {.data_dir = {}, .max_samples = 200});
  World undisturbed(settings, {1, 3}, {{{0}, {1}, {2}}}, testing::host(), ring8);
  undisturbed.generation(1);
  const auto saved = undisturbed.states();
  const auto expected = undisturbed.run(3, 1);
  World resumed(settings, {1, 3}, {{{0}}, {{1}}, {{2}}}, testing::host(), ring8);
  resumed.resume(saved);
  EXPECT_EQ(resumed.run(3, 1), expected);
}

TEST(Island, resumed_across_a_switch_of_neighbourhoods_goes_on_to_the_same_bits) {
  Settings settings = testing::tiny_settings();
  settings.neighbourhood = grid::Schedule(
      {{0, &grid::find_neighbourhood("ring3")}, {2, &grid::find_neighbourhood("moore9")}});
  World undisturbed(settings, k2x2, kOneIsland);
  undisturbed.generation(1);
  const auto saved = undisturbed.states();
  const auto expected = undisturbed.run(3, 1);
  World resumed(settings, k2x2, kOneIsland);
  resumed.resume(saved);
  EXPECT_EQ(resumed.run(3, 1), expected);
}

TEST(Island, resumes_with_nothing_but_a_state_of_each_of_its_cells) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  world.generation(1);
  const auto good = world.states();
  world.generation(2);
  const auto refused = [&](const std::function<void(std::vector<CellState>&)>& change) {
    World other(testing::tiny_settings(), k2x2, kOneIsland);
    std::vector<CellState> states;
    for (const auto& [cell, state] : good) states.push_back(state);
    change(states);
    EXPECT_THROW(other.host({0}).resume(states), InternalError);
  };
  refused([](auto& states) { states.pop_back(); });
  refused([](auto& states) { states.push_back(states.back()); });
  refused([](auto& states) { states.clear(); });
  refused([](auto& states) { std::swap(states[0], states[1]); });
  refused([](auto& states) { states[3] = states[2]; });
  refused([&](auto& states) { states[2] = world.host({2}).state({2}); });  // of generation 2
  refused([](auto& states) { states[1].centre.generator.parameters.reset(1); });
  refused([](auto& states) { states[1].centre.discriminator.moments = {}; });
  EXPECT_THROW(world.resume(good), InternalError) << "it has begun already";
}

// Two islands of a cell each; the test says what the first one hears of the second.
class AsynchronousIsland : public ::testing::Test {
 protected:
  static Settings settings() {
    Settings settings = testing::tiny_settings();
    settings.max_staleness = 2;
    settings.operators.mixture = {kEvolutionStrategyWeighting,
                                  {0, 10}};  // nothing but who takes part changes weights
    return settings;
  }

  void hear() { world_.host({0}).receive({0}, {1}, world_.host({1}).publication({1})); }

  static CellReport turn(Island& island, Generation generation) {
    island.evolve(
        generation, [](CellId) {}, [] { return true; });
    return island.evaluate(generation).front();
  }
  // One generation of the first; the age of its copy of the second.
  std::optional<std::int64_t> age_in(Generation generation) {
    report_ = turn(world_.host({0}), generation);
    EXPECT_EQ(report_.ages.size(), 1U);
    EXPECT_EQ(report_.ages.front().neighbour, CellId{1});
    return report_.ages.front().generations;
  }
  std::vector<double> weights() const {
    std::vector<double> all;
    for (const CellReport::Member& member : report_.mixture) all.push_back(member.weight);
    return all;
  }

  World world_{settings(), {1, 2}, {{{0}}, {{1}}}};
  CellReport report_;
};

TEST_F(AsynchronousIsland, trains_alone_until_it_hears_of_a_neighbour) {
  EXPECT_EQ(age_in(1), std::nullopt);
  EXPECT_THAT(weights(), ElementsAre(1));
  hear();
  EXPECT_EQ(age_in(2), 1);
  EXPECT_THAT(weights(), ElementsAre(0.5, 0.5)) << "a newcomer enters with the mean weight";
}

TEST_F(AsynchronousIsland, uses_a_copy_until_it_is_too_old_and_then_again_a_newer_one) {
  hear();
  EXPECT_EQ(age_in(1), 0);
  EXPECT_EQ(age_in(2), 1);
  EXPECT_EQ(age_in(3), 2);
  EXPECT_THAT(weights(), ElementsAre(0.5, 0.5));
  EXPECT_EQ(age_in(4), std::nullopt);
  EXPECT_THAT(weights(), ElementsAre(1));
  hear();
  EXPECT_EQ(age_in(5), std::nullopt) << "the same one once more";
  turn(world_.host({1}), 1);
  turn(world_.host({1}), 2);
  turn(world_.host({1}), 3);
  hear();
  EXPECT_EQ(age_in(6), 2);
  EXPECT_THAT(weights(), ElementsAre(0.5, 0.5));
}

TEST_F(AsynchronousIsland, tells_of_a_neighbour_ahead_by_an_age_below_zero) {
  for (Generation generation = 1; generation <= 3; ++generation) {
    turn(world_.host({1}), generation);
  }
  hear();
  EXPECT_EQ(age_in(1), -3);
  EXPECT_EQ(weights().size(), 2U);
}

TEST_F(AsynchronousIsland, finishes_with_what_is_there) {
  hear();
  for (Generation generation = 1; generation <= 2; ++generation) age_in(generation);
  EXPECT_EQ(world_.host({0}).finish().front().mixture.size(), 2U) << "two generations old";
  age_in(3);
  EXPECT_EQ(world_.host({0}).finish().front().mixture.size(), 1U) << "three";
  EXPECT_EQ(world_.host({0}).mixture_generators({0}).size(), 1U);
  EXPECT_EQ(world_.host({0}).sample_mixture({0}, 7).size(), 14U);
}

TEST(Island, gives_the_same_bits_asynchronously_when_every_copy_is_in_time) {
  for (Settings settings : all_kinds()) {
    const auto expected = World(settings, k2x2, kOneIsland).run(3);
    settings.max_staleness = 1;
    EXPECT_EQ(World(settings, k2x2, {{{0}, {1}}, {{2}}, {{3}}}).run(3), expected);
  }
}

TEST(Island, tells_no_ages_of_a_synchronous_exchange) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  EXPECT_TRUE(world.generation(1).at({0}).ages.empty());
}

TEST(Island, announces_every_cell_when_its_publication_is_ready) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  world.exchange(1);
  Island& island = world.host({0});
  std::map<CellId, Bytes> sent;
  island.evolve(
      1, [&](CellId cell) { sent[cell] = island.publication(cell); }, [] { return true; });
  ASSERT_EQ(sent.size(), 4U);
  for (const auto& [cell, bytes] : sent) EXPECT_EQ(island.publication(cell), bytes);
}

TEST(Island, samples_the_mixture_for_pictures) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  EXPECT_EQ(world.host({0}).sample_mixture({0}, 7).size(), 14U);  // of the start, by itself
  world.generation(1);
  const std::vector<float> samples = world.host({0}).sample_mixture({0}, 7);
  EXPECT_EQ(samples.size(), 14U);
  EXPECT_EQ(world.host({0}).sample_mixture({0}, 7), samples);
}

TEST(Island, refuses_publications_out_of_turn) {
  World world(testing::tiny_settings(), k2x2, kOneIsland);
  Island& island = world.host({0});
  const Bytes bytes = island.publication({3});
  EXPECT_THROW(island.receive({0}, {3}, bytes), InternalError);  // no neighbour in cross5
  EXPECT_THROW(island.receive({0}, {0}, island.publication({0})), InternalError);
  EXPECT_THROW(island.receive({0}, {1}, bytes), CommError);  // another cell's
  EXPECT_THROW(island.receive_hosted({0}, {3}), InternalError);
  EXPECT_THROW(island.evolve(
                   1, [](CellId) {}, [] { return true; }),
               InternalError);
  world.exchange(1);
  world.evolve(1);
  EXPECT_THROW(island.receive({0}, {1}, island.publication({1})), InternalError);  // not evaluated
  EXPECT_THROW((void)island.publication({9}), InternalError);
}

TEST(Island, refuses_a_model_that_does_not_fit_and_a_batch_that_is_too_large) {
  Settings settings = testing::tiny_settings();
  settings.batch_size = testing::kTinySamples + 1;
  EXPECT_THROW(World(settings, {1, 1}, {{{0}}}), InternalError);
  settings = testing::tiny_settings();
  settings.model = nn::make_model("mlp");
  EXPECT_THROW(World(settings, {1, 1}, {{{0}}}), InternalError);
}

}  // namespace
}  // namespace lipizz::coev::island_test
