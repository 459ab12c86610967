#include "worker/cell_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "nn/base/optimizer_squares.hpp"
#include "nn/network/network.hpp"

namespace lipizz::worker {
namespace {

using coev::NetworkRole;

// So many more can follow before the count begins at 0 again.
constexpr std::uint32_t kMostSteps = std::uint32_t{1} << 31;

// For one genome; messages name its tensors as its file does.
class GenomeChecks {
 public:
  GenomeChecks(const coev::Settings& settings, NetworkRole role, std::uint32_t n_cells,
               const std::string& place)
      : settings_(settings),
        role_(role),
        n_cells_(n_cells),
        place_(place),
        layout_(nn::parameter_layout(coev::network_spec(settings.model, role))) {}

  void check(const coev::Genome& genome) const {
    check_values(".", genome.parameters);
    if (!genome.average.empty()) check_values(".average.", genome.average);
    check_moments(genome.moments);
    expect(coev::is_loss_scale(genome.loss_scale), ".loss_scale",
           "a power of two and a number of updates");
    const double rate = genome.learning_rate;
    expect(rate >= 0 && rate <= std::numeric_limits<float>::max(), ".learning_rate",
           "a finite rate of at least 0");
    expect(is_in_use(genome.loss), ".loss_step_origin", "a loss that this run trains with");
    expect(genome.step <= kMostSteps, ".loss_step_origin",
           fmt::format("at most {} updates", kMostSteps));
    expect(genome.origin.value < n_cells_, ".loss_step_origin",
           fmt::format("an origin among {} cells", n_cells_));
  }

  void check(std::span<const nn::SharedBuffer<float>> history) const {
    for (std::size_t i = 0; i < history.size(); ++i) {
      check_values(fmt::format(".history{}.", i + 1), history[i]);
    }
  }

 private:
  void check_values(const std::string& prefix, std::span<const float> values) const {
    check_blocks(prefix, layout_.blocks, values, false);
    check_blocks(prefix, layout_.statistics, values, false);
  }

  void check_moments(std::span<const float> moments) const {
    const nn::OptimizerId optimizer = network_settings(settings_, role_).optimizer.kind;
    const std::uint32_t n_moments = nn::entry(optimizer).n_moments;
    for (std::uint32_t m = 0; m < n_moments; ++m) {
      check_blocks(fmt::format(".moment{}.", m + 1), layout_.blocks,
                   moments.subspan(m * layout_.n_padded, layout_.n_padded),
                   m >= n_moments - nn::n_squares(optimizer));
    }
  }

  void check_blocks(const std::string& prefix, std::span<const nn::ParameterBlock> blocks,
                    std::span<const float> values, bool are_squares) const {
    for (const nn::ParameterBlock& block : blocks) {
      const bool from_zero = are_squares || block.role == nn::Role::kVariance;
      const auto is_allowed = [&](float v) { return std::isfinite(v) && (!from_zero || v >= 0); };
      const auto tensor = values.subspan(block.offset, nn::n_elements(block.shape));
      expect(std::ranges::all_of(tensor, is_allowed), prefix + block.name,
             from_zero ? "finite numbers of at least 0" : "finite numbers");
    }
  }

  [[nodiscard]] bool is_in_use(nn::LossId loss) const {
    const std::vector<nn::LossId>& others = settings_.operators.loss_mutation.losses;
    return loss == network_settings(settings_, role_).loss ||
           (role_ == NetworkRole::kGenerator && std::ranges::find(others, loss) != others.end());
  }

  void expect(bool holds, const std::string& tensor, const std::string& what) const {
    if (holds) return;
    throw CheckpointError(fmt::format("{}: {}{}: expected {}, found another number", place_,
                                      to_string(role_), tensor, what));
  }

  const coev::Settings& settings_;
  NetworkRole role_;
  std::uint32_t n_cells_;
  const std::string& place_;
  nn::ParameterLayout layout_;
};

// Weights are rounded when they are normalised, which takes a few times 1e-16.
bool are_mixture_weights(std::span<const double> weights) {
  constexpr double kRounding = 1e-12;
  const auto is_weight = [](double weight) { return weight >= 0 && weight <= 1; };
  return std::ranges::all_of(weights, is_weight) &&
         std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 1) <= kRounding;
}

bool are_distinct_cells(std::vector<CellId> cells, std::uint32_t n_cells) {
  std::ranges::sort(cells);
  return !cells.empty() && cells.back().value < n_cells &&
         std::ranges::adjacent_find(cells) == cells.end();
}

}  // namespace

void check_numbers(const coev::CellState& state, const coev::Settings& settings,
                   std::uint32_t n_cells, const std::string& place) {
  for (const NetworkRole role : coev::kNetworkRoles) {
    const GenomeChecks checks(settings, role, n_cells, place);
    checks.check(genome(state.centre, role));
    checks.check(state.history[role]);
  }
  if (are_distinct_cells(state.mixture.cells, n_cells) && state.mixture.cells.front() == state.id &&
      are_mixture_weights(state.mixture.weights)) {
    return;
  }
  throw CheckpointError(place +
                        ": expected a mixture of the grid's cells, the cell first, with weights "
                        "from 0 to 1 that add up to 1, found another");
}

}  // namespace lipizz::worker
