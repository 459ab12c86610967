#include "worker/cell_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/network/network.hpp"
#include "worker/cell_checks.hpp"

namespace lipizz::worker {
namespace {

using checkpoint::DType;
using checkpoint::TensorView;
using coev::NetworkRole;

// A genome without its parameters and moments.
struct GenomeNumbers {
  double learning_rate;
  std::uint64_t loss_step_origin[3];
};

struct Networks {
  explicit Networks(const coev::Settings& settings)
      : specs{settings.model.generator, settings.model.discriminator},
        shapes(coev::genome_shapes(settings)) {}
  coev::PerRole<nn::NetworkSpec> specs;
  coev::PerRole<coev::GenomeShape> shapes;
};

// The parts of a state that are no tensors in memory: filled before it is written, and after it was
// read.
struct Numbers {
  coev::PerRole<GenomeNumbers> genomes;
  std::vector<std::uint64_t> mixture_cells;
};

constexpr DType type_of(float) {
  return DType::kF32;
}
constexpr DType type_of(double) {
  return DType::kF64;
}
constexpr DType type_of(std::uint64_t) {
  return DType::kU64;
}

// The functions below call visit(name, shape, values) for tensors in the order of a file. Their
// arguments are const where they are only written to a file.

template <class Values, class Visit>
void visit_blocks(const std::string& prefix, std::span<const nn::ParameterBlock> blocks,
                  Values values, const Visit& visit) {
  for (const nn::ParameterBlock& block : blocks) {
    visit(prefix + block.name, {block.shape.begin(), block.shape.end()},
          values.subspan(block.offset, nn::n_elements(block.shape)));
  }
}

template <class Values, class Visit>
void visit_values(const std::string& prefix, const nn::ParameterLayout& layout, Values values,
                  const Visit& visit) {
  visit_blocks(prefix, layout.blocks, values, visit);
  visit_blocks(prefix, layout.statistics, values, visit);
}

template <class Genome, class GenomeNumbers, class Visit>
void visit_genome(const std::string& name, const nn::ParameterLayout& layout, Genome& genome,
                  GenomeNumbers& numbers, const Visit& visit) {
  const auto parameters = elements(genome.parameters);
  const auto moments = elements(genome.moments);
  const auto average = elements(genome.average);
  visit_values(name + ".", layout, parameters, visit);
  for (std::size_t m = 0; m < moments.size() / layout.n_padded; ++m) {
    visit_blocks(name + ".moment" + std::to_string(m + 1) + ".", layout.blocks,
                 moments.subspan(m * layout.n_padded, layout.n_padded), visit);
  }
  if (!average.empty()) visit_values(name + ".average.", layout, average, visit);
  const std::span loss_scale(genome.loss_scale);
  if (!loss_scale.empty()) visit(name + ".loss_scale", {2}, loss_scale);
  visit(name + ".learning_rate", {1}, std::span(&numbers.learning_rate, 1));
  visit(name + ".loss_step_origin", {3}, std::span(numbers.loss_step_origin));
}

template <class State, class Numbers, class Visit>
void visit_state(const Networks& networks, State& state, Numbers& numbers, const Visit& visit) {
  for (const NetworkRole role : coev::kNetworkRoles) {
    visit_genome(std::string(to_string(role)), nn::parameter_layout(networks.specs[role]),
                 genome(state.centre, role), numbers.genomes[role], visit);
  }
  for (const NetworkRole role : coev::kNetworkRoles) {
    const nn::ParameterLayout layout = nn::parameter_layout(networks.specs[role]);
    for (std::size_t i = 0; i < state.history[role].size(); ++i) {
      const auto past = elements(state.history[role][i]);
      visit_values(fmt::format("{}.history{}.", to_string(role), i + 1), layout, past, visit);
    }
  }
  const std::uint64_t n = state.mixture.cells.size();
  visit("mixture.cells", {n}, std::span(numbers.mixture_cells));
  visit("mixture.weights", {n}, std::span(state.mixture.weights));
}

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw CheckpointError(place + ": " + what);
}

void check_origin(const checkpoint::CellOrigin& found, const checkpoint::CellOrigin& expected,
                  const std::string& place) {
  if (found == expected) return;
  if (found.lineage.dataset != expected.lineage.dataset) {
    fail(place, "was trained on data of hash " + to_hex(found.lineage.dataset) +
                    ", and these have " + to_hex(expected.lineage.dataset) +
                    "; a run can only be resumed with the same data");
  }
  if (found.lineage.judge != expected.lineage.judge) {
    fail(place, "was scored by the judge of hash " + to_hex(found.lineage.judge) +
                    ", and this run's is " + to_hex(expected.lineage.judge) +
                    "; resume with the build of lipizz that began the run, or begin another run");
  }
  fail(place, "expected generation " + std::to_string(expected.generation) + " of cell " +
                  std::to_string(expected.cell.value) + " of this run, found another's");
}

// Copies a file's tensors to where `state` and `numbers` have theirs, which must be of the same
// names, types and shapes.
void fill(const Networks& networks, coev::CellState& state, Numbers& numbers,
          std::span<const TensorView> found, const std::string& place) {
  const auto check = [&](bool is_alike) {
    if (!is_alike) fail(place, "expected the tensors of this run's networks, found others");
  };
  auto next = found.begin();
  const auto take = [&](const std::string& name, const std::vector<std::uint64_t>& shape,
                        auto values) {
    using Value = typename decltype(values)::value_type;
    check(next != found.end() && next->name == name && next->type == type_of(Value{}) &&
          next->shape == shape);
    std::memcpy(values.data(), next->data.data(), next->data.size());
    ++next;
  };
  visit_state(networks, state, numbers, take);
  check(next == found.end());
}

std::uint64_t n_mixture_cells(std::span<const TensorView> tensors) {
  const auto found = std::ranges::find(tensors, "mixture.cells", &TensorView::name);
  return found == tensors.end() || found->shape.size() != 1 ? 0 : found->shape.front();
}

// Beyond that the state has no room for a number.
std::uint32_t narrowed(std::uint64_t number, const std::string& place) {
  if (number <= std::numeric_limits<std::uint32_t>::max())
    return static_cast<std::uint32_t>(number);
  fail(place, fmt::format("expected a number below 2^32, found {}", number));
}

void take_genome_numbers(const GenomeNumbers& numbers, coev::Genome& genome,
                         const std::string& place) {
  const auto [loss, step, origin] = numbers.loss_step_origin;
  genome.learning_rate = numbers.learning_rate;
  genome.loss = narrowed(loss, place);
  genome.step = narrowed(step, place);
  genome.origin = {narrowed(origin, place)};
}

Numbers numbers_of(const coev::CellState& state) {
  Numbers numbers;
  for (const NetworkRole role : coev::kNetworkRoles) {
    const coev::Genome& g = genome(state.centre, role);
    numbers.genomes[role] = {g.learning_rate, {g.loss, g.step, g.origin.value}};
  }
  for (const CellId cell : state.mixture.cells) numbers.mixture_cells.push_back(cell.value);
  return numbers;
}

// Views of both.
std::vector<TensorView> tensors_of(const coev::Settings& settings, const coev::CellState& state,
                                   const Numbers& numbers) {
  std::vector<TensorView> tensors;
  const auto add = [&](std::string name, std::vector<std::uint64_t> shape, auto values) {
    tensors.push_back({.name = std::move(name),
                       .type = type_of(typename decltype(values)::value_type{}),
                       .shape = std::move(shape),
                       .data = std::as_bytes(values)});
  };
  visit_state(Networks(settings), state, numbers, add);
  return tensors;
}

}  // namespace

Bytes encode_cell(const coev::Settings& settings, const coev::CellState& state,
                  const checkpoint::CellOrigin& origin) {
  const Numbers numbers = numbers_of(state);
  return checkpoint::encode_tensors(tensors_of(settings, state, numbers),
                                    checkpoint::to_metadata(origin));
}

void write_cell(const std::filesystem::path& path, const coev::Settings& settings,
                const coev::CellState& state, const checkpoint::CellOrigin& origin) {
  const Numbers numbers = numbers_of(state);
  checkpoint::write_tensors(path, tensors_of(settings, state, numbers),
                            checkpoint::to_metadata(origin));
}

coev::CellState decode_cell(const checkpoint::TensorFile& file, const std::string& place,
                            const coev::Settings& settings, std::uint32_t n_cells,
                            const checkpoint::CellOrigin& origin) {
  check_origin(checkpoint::origin_of(file.metadata(), place), origin, place);
  const Networks networks(settings);
  coev::CellState state;
  state.id = origin.cell;
  state.generation = origin.generation;
  for (const NetworkRole role : coev::kNetworkRoles) {
    genome(state.centre, role) = networks.shapes[role].make();
    state.history[role].resize(
        coev::history_size(coev::history_spec(settings, role), origin.generation),
        nn::SharedBuffer<float>(networks.shapes[role].n_parameters));
  }
  const std::uint64_t n = n_mixture_cells(file.tensors());
  state.mixture.cells.resize(n);
  state.mixture.weights.resize(n);
  Numbers numbers;
  numbers.mixture_cells.resize(n);
  fill(networks, state, numbers, file.tensors(), place);
  for (const NetworkRole role : coev::kNetworkRoles) {
    take_genome_numbers(numbers.genomes[role], genome(state.centre, role), place);
  }
  for (std::size_t i = 0; i < n; ++i) {
    state.mixture.cells[i] = {narrowed(numbers.mixture_cells[i], place)};
  }
  check_numbers(state, settings, n_cells, place);
  return state;
}

coev::CellState read_cell(const std::filesystem::path& path, const coev::Settings& settings,
                          std::uint32_t n_cells, const checkpoint::CellOrigin& origin) {
  return decode_cell(checkpoint::read_tensors(path), path.string(), settings, n_cells, origin);
}

}  // namespace lipizz::worker
