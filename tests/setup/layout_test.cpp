#include "setup/layout.hpp"

#include <gmock/gmock.h>

namespace lipizz::setup::layout_test {
namespace {

using ::testing::Optional;

config::Experiment on_glyphs(std::uint32_t n_cells = 1) {
  config::Experiment experiment;
  experiment.grid = {1, n_cells};
  experiment.model.name = "dcgan28";
  experiment.data.dataset = "glyphs";
  experiment.data.batch_size = 64;
  experiment.data.micro_batches = 4;
  experiment.compute.engine = "reference";
  experiment.compute.layout = "auto";
  return experiment;
}

bool everything_fits(const Layout&) {
  return true;
}

std::optional<Layout> chosen(const config::Experiment& experiment, const Ranks& ranks,
                             const std::function<bool(const Layout&)>& fits = everything_fits) {
  const auto found = choose_layout(experiment, ranks, fits);
  return found ? std::optional(found->layout) : std::nullopt;
}

TEST(Layout, ranks_share_the_micro_batches_of_a_convolutional_pair) {
  const auto found = choose_layout(on_glyphs(), {4, 4}, everything_fits);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->layout, (Layout{.ranks_per_cell = 4}));
  EXPECT_GT(found->speed, 2);
  EXPECT_LT(found->speed, 4);
  EXPECT_EQ(found->n_that_do_not_fit, 0U);
}

TEST(Layout, steps_that_are_shorter_than_their_messages_stay_on_one_rank) {
  config::Experiment points = on_glyphs();
  points.model.name = "mlp-2d";
  points.data.dataset = "ring8";
  const auto found = choose_layout(points, {4, 4}, everything_fits);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->layout, Layout{});
  EXPECT_EQ(found->speed, 1);
}

TEST(Layout, cells_have_workers_before_they_have_helpers) {
  EXPECT_THAT(chosen(on_glyphs(4), {4, 4}), Optional(Layout{}));
  EXPECT_THAT(chosen(on_glyphs(4), {8, 8}), Optional(Layout{.ranks_per_cell = 2}));
  EXPECT_THAT(chosen(on_glyphs(2), {3, 3}), Optional(Layout{})) << "three do not come out even";
  config::Experiment in_eight = on_glyphs(9);
  in_eight.data.micro_batches = 8;
  EXPECT_THAT(chosen(in_eight, {8, 8}), Optional(Layout{})) << "nine cells, one after the other";
  const auto together = [](const Layout& layout) { return layout.ranks_per_cell == 8; };
  EXPECT_THAT(chosen(in_eight, {8, 8}, together), Optional(Layout{.ranks_per_cell = 8}));
}

TEST(Layout, ranks_that_share_a_core_are_no_faster) {
  EXPECT_THAT(chosen(on_glyphs(), {4, 1}), Optional(Layout{}));
  EXPECT_THAT(chosen(on_glyphs(), {4, 2}), Optional(Layout{.ranks_per_cell = 2}));
}

TEST(Layout, one_micro_batch_is_for_one_rank_unless_that_has_too_little_memory) {
  config::Experiment whole = on_glyphs();
  whole.data.micro_batches = 1;
  EXPECT_THAT(chosen(whole, {4, 4}), Optional(Layout{}));
  whole.discriminator.steps.micro_batches = 4;
  EXPECT_THAT(chosen(whole, {4, 4}), Optional(Layout{})) << "the generator's is still one";
  const auto shared = [](const Layout& layout) { return layout.stages > 1; };
  EXPECT_THAT(chosen(whole, {2, 2}, shared), Optional(Layout{.ranks_per_cell = 2, .stages = 2}));
}

TEST(Layout, a_network_that_is_cut_into_few_stages_sets_no_limit_to_them) {
  config::Experiment whole = on_glyphs();
  whole.data.micro_batches = 1;
  const auto deep = [](const Layout& layout) { return layout.stages == 8; };
  EXPECT_EQ(chosen(whole, {8, 8}, deep), std::nullopt) << "a network has fewer layers";
  whole.generator.stages = 4;
  whole.discriminator.stages = 4;
  EXPECT_THAT(chosen(whole, {8, 8}, deep), Optional(Layout{.ranks_per_cell = 8, .stages = 8}));
  whole.generator.stages = 3;
  EXPECT_EQ(chosen(whole, {8, 8}, deep), std::nullopt) << "a stage would have no layer";
}

// The faster ones are tried first, so that all that were refused would have been faster.
TEST(Layout, more_is_shared_out_where_memory_asks_for_it) {
  std::vector<double> costs;
  const auto has_it_all = [&](const Layout& layout) {
    costs.push_back(batch_cost(on_glyphs(), layout, {4, 4}));
    return layout.generator_zero == 3 && layout.discriminator_zero == 3 && layout.stages == 1;
  };
  const auto found = choose_layout(on_glyphs(), {4, 4}, has_it_all);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->layout.generator_zero, 3U);
  EXPECT_EQ(found->layout.discriminator_zero, 3U);
  EXPECT_EQ(found->n_that_do_not_fit, costs.size() - 1);
  EXPECT_TRUE(std::ranges::is_sorted(costs));
  EXPECT_TRUE(found->had_choice);
  EXPECT_EQ(chosen(on_glyphs(), {4, 4}, [](const Layout&) { return false; }), std::nullopt);
}

TEST(Layout, settings_that_are_refused_are_not_chosen) {
  std::vector<Layout> tried;
  const auto none = [&](const Layout& layout) {
    tried.push_back(layout);
    return false;
  };
  const auto expect_all = [&](const config::Experiment& experiment, const auto& holds) {
    tried.clear();
    EXPECT_EQ(chosen(experiment, {4, 4}, none), std::nullopt);
    EXPECT_GT(tried.size(), 1U);
    EXPECT_TRUE(std::ranges::all_of(tried, holds));
  };
  config::Experiment synchronised = on_glyphs();
  synchronised.data.sync_batch_norm = true;
  expect_all(synchronised, [](const Layout& layout) { return layout.stages == 1; });
  config::Experiment layerwise = on_glyphs();
  layerwise.generator.optimizer = "lamb";
  expect_all(layerwise, [](const Layout& layout) { return layout.generator_zero == 1; });
  config::Experiment threaded = on_glyphs();
  threaded.compute.threads_per_worker = 2;
  expect_all(threaded, [](const Layout& layout) {
    return layout.stages == 1 && layout.ranks_per_cell <= 2 && layout.generator_zero == 1;
  });
  config::Experiment on_gpus = on_glyphs();
  on_gpus.compute.device = "cuda";
  tried.clear();
  EXPECT_EQ(chosen(on_gpus, {4, 4}, none), std::nullopt);
  EXPECT_THAT(tried, ::testing::ElementsAre(Layout{}));
}

// A generator that is trained with every fifth batch takes a fifth.
TEST(Layout, counts_the_steps_that_are_made) {
  config::Experiment rarely = on_glyphs();
  rarely.generator.steps.every = 1'000'000;
  const auto cost = [](const config::Experiment& experiment) {
    return batch_cost(experiment, {}, {1, 1});
  };
  const double of_discriminator = cost(rarely);
  rarely.generator.steps.every = 5;
  EXPECT_NEAR((cost(on_glyphs()) - of_discriminator) / (cost(rarely) - of_discriminator), 5, 0.01);
}

TEST(Layout, threads_take_micro_batches_in_turn) {
  config::Experiment threaded = on_glyphs();
  const auto cost = [&](std::uint32_t n_threads) {
    threaded.compute.threads_per_worker = n_threads;
    return batch_cost(threaded, {}, {1, 16});
  };
  EXPECT_NEAR(cost(1) / cost(2), 2, 0.1);
  EXPECT_NEAR(cost(2) / cost(3), 1, 0.1) << "four in two rounds";
  EXPECT_NEAR(cost(1) / cost(4), 4, 0.1);
}

TEST(Layout, ranks_are_of_use_to_cells_and_to_micro_batches) {
  EXPECT_EQ(useful_ranks(on_glyphs(2), 1), 1U);
  EXPECT_EQ(useful_ranks(on_glyphs(2), 3), 2U);
  EXPECT_EQ(useful_ranks(on_glyphs(2), 7), 6U);
  EXPECT_EQ(useful_ranks(on_glyphs(2), 100), 8U);
  config::Experiment given = on_glyphs(2);
  given.compute.layout = "given";
  EXPECT_EQ(useful_ranks(given, 100), 2U);
  config::Experiment threaded = on_glyphs(2);
  threaded.compute.threads_per_worker = 2;
  EXPECT_EQ(useful_ranks(threaded, 100), 4U);
}

TEST(Layout, is_said_in_words) {
  EXPECT_EQ(to_string(Layout{}), "1 rank to a cell");
  EXPECT_EQ(to_string(Layout{2, 2}), "2 ranks to a cell, 1 replica of 2 stages");
  EXPECT_EQ(to_string(Layout{4, 2, 3, 1}),
            "4 ranks to a cell, 2 replicas of 2 stages, generator.zero 3, discriminator.zero 1");
}

}  // namespace
}  // namespace lipizz::setup::layout_test
