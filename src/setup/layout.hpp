#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "config/experiment.hpp"

namespace lipizz::setup {

/// How the training of cells is shared out among ranks: the settings that `layout` "auto" chooses.
/// No bit depends on them.
struct Layout {
  std::uint32_t ranks_per_cell = 1;
  std::uint32_t stages = 1;  // of a pipeline
  std::uint32_t generator_zero = 1;
  std::uint32_t discriminator_zero = 1;

  auto operator<=>(const Layout&) const = default;
};

config::Experiment with_layout(config::Experiment experiment, const Layout& layout);
Layout layout_of(const config::Experiment& experiment);

/// `4 ranks to a cell, 2 replicas of 2 stages, generator.zero 3, discriminator.zero 1`
std::string to_string(const Layout& layout);

/// The ranks beside the master.
struct Ranks {
  std::uint32_t n = 1;
  std::uint32_t n_cores = 1;  // that they have in all
};

/// As many ranks beside the master as cells can make use of on processors, of those for which there
/// is room: a worker for each cell and, with `layout` "auto", helpers for its micro-batches.
std::uint32_t useful_ranks(const config::Experiment& experiment, std::uint32_t n_room);

/// How long a layout is expected to take for a batch of both networks in all cells, in operations
/// of one core (nn/graph/operation_cost.hpp): what the rank that has most to do computes, sends and
/// waits for. Ranks beyond the cores share these.
double batch_cost(const config::Experiment& experiment, const Layout& layout, const Ranks& ranks);

struct ChosenLayout {
  Layout layout;
  double speed = 1;                     // of training: times that of one rank to a cell, expected
  std::uint32_t n_that_do_not_fit = 0;  // of those that would be faster
  bool had_choice = false;              // between this and others that settings and ranks allow
};

/// The layout for which cells are expected to train fastest of those that the other settings allow
/// and that fit into memory, as `fits` says; of equal ones that with fewer ranks to a cell. A cell
/// has a worker before any has helpers, unless nothing fits so. Nothing where none fits at all.
/// `experiment` is resolved, its device as well; on GPUs a cell has one rank.
std::optional<ChosenLayout> choose_layout(const config::Experiment& experiment, const Ranks& ranks,
                                          const std::function<bool(const Layout&)>& fits);

}  // namespace lipizz::setup
