#include "worker/cell_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/network/network.hpp"

namespace lipizz::worker {
namespace {

using checkpoint::DType;
using checkpoint::TensorView;
using coev::NetworkRole;

// What a genome is beside its parameters and moments.
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

// The tensors of a whole state, lying in `state` and `numbers`: what is written, and the places
// that a file is read into.
struct Parts {
  coev::PerRole<GenomeNumbers> numbers;
  std::vector<std::uint64_t> mixture_cells;
  std::vector<TensorView> tensors;
};

template <class T>
TensorView view(std::string name, DType type, std::vector<std::uint64_t> shape,
                std::span<const T> values) {
  return {std::move(name), type, std::move(shape), std::as_bytes(values)};
}

void add_blocks(std::vector<TensorView>& tensors, const std::string& prefix,
                std::span<const nn::ParameterBlock> blocks, std::span<const float> buffer) {
  for (const nn::ParameterBlock& block : blocks) {
    tensors.push_back(view<float>(prefix + block.name, DType::kF32,
                                  {block.shape.begin(), block.shape.end()},
                                  buffer.subspan(block.offset, nn::n_elements(block.shape))));
  }
}

void add_genome(Parts& parts, NetworkRole role, const nn::NetworkSpec& network,
                const coev::Genome& genome) {
  const std::string name(to_string(role));
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  add_blocks(parts.tensors, name + ".", layout.blocks, genome.parameters);
  add_blocks(parts.tensors, name + ".", layout.statistics, genome.parameters);
  const std::span<const float> moments(genome.moments);
  for (std::size_t m = 0; m < moments.size() / layout.n_padded; ++m) {
    add_blocks(parts.tensors, name + ".moment" + std::to_string(m + 1) + ".", layout.blocks,
               moments.subspan(m * layout.n_padded, layout.n_padded));
  }
  if (!genome.average.empty()) {
    add_blocks(parts.tensors, name + ".average.", layout.blocks, genome.average);
    add_blocks(parts.tensors, name + ".average.", layout.statistics, genome.average);
  }
  const GenomeNumbers& numbers = parts.numbers[role];
  parts.tensors.push_back(view<double>(name + ".learning_rate", DType::kF64, {1},
                                       std::span(&numbers.learning_rate, 1)));
  parts.tensors.push_back(view<std::uint64_t>(name + ".loss_step_origin", DType::kU64, {3},
                                              std::span(numbers.loss_step_origin)));
}

// `parts.numbers` and `parts.mixture_cells` are filled, or have their size.
void add_tensors(Parts& parts, const Networks& networks, const coev::CellState& state) {
  for (const NetworkRole role : coev::kNetworkRoles) {
    add_genome(parts, role, networks.specs[role], genome(state.centre, role));
  }
  const std::uint64_t n = state.mixture.cells.size();
  parts.tensors.push_back(
      view<std::uint64_t>("mixture.cells", DType::kU64, {n}, parts.mixture_cells));
  parts.tensors.push_back(view<double>("mixture.weights", DType::kF64, {n}, state.mixture.weights));
}

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw CheckpointError(place + ": " + what);
}

void check_origin(const checkpoint::CellOrigin& found, const checkpoint::CellOrigin& expected,
                  const std::string& place) {
  if (found == expected) return;
  if (found.dataset != expected.dataset) {
    fail(place, "was trained on data of hash " + to_hex(found.dataset) + ", and these have " +
                    to_hex(expected.dataset) + "; a run can only be resumed with the same data");
  }
  fail(place, "expected generation " + std::to_string(expected.generation) + " of cell " +
                  std::to_string(expected.cell.value) + " of this run, found another's");
}

// Copies a file's tensors to where `parts` has theirs, which must be of the same names and shapes.
void fill(const Parts& parts, std::span<const TensorView> found, const std::string& place) {
  const auto is_alike = [](const TensorView& a, const TensorView& b) {
    return a.name == b.name && a.type == b.type && a.shape == b.shape;
  };
  if (!std::ranges::equal(parts.tensors, found, is_alike)) {
    fail(place, "expected the tensors of this run's networks, found others");
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    // The views lie in the state that is being read.
    std::memcpy(const_cast<std::byte*>(parts.tensors[i].data.data()), found[i].data.data(),
                found[i].data.size());
  }
}

std::uint64_t n_mixture_cells(std::span<const TensorView> tensors) {
  const auto found = std::ranges::find(tensors, "mixture.cells", &TensorView::name);
  return found == tensors.end() || found->shape.size() != 1 ? 0 : found->shape.front();
}

void take_numbers(const Parts& parts, coev::CellState& state, const std::string& place) {
  for (const NetworkRole role : coev::kNetworkRoles) {
    const auto& [learning_rate, others] = parts.numbers[role];
    coev::Genome& g = genome(state.centre, role);
    if (!std::isfinite(learning_rate) || learning_rate < 0 || others[0] >= nn::losses().size() ||
        !is_finite(g)) {
      fail(place, "expected finite weights, a learning rate and a known loss, found others");
    }
    g.learning_rate = learning_rate;
    g.loss = static_cast<nn::LossId>(others[0]);
    g.step = static_cast<std::uint32_t>(others[1]);
    g.origin = {static_cast<std::uint32_t>(others[2])};
  }
  for (std::size_t i = 0; i < parts.mixture_cells.size(); ++i) {
    state.mixture.cells[i] = {static_cast<std::uint32_t>(parts.mixture_cells[i])};
  }
  const auto is_weight = [](double weight) { return weight >= 0 && weight <= 1; };
  if (state.mixture.cells.empty() || state.mixture.cells.front() != state.id ||
      !std::ranges::all_of(state.mixture.weights, is_weight)) {
    fail(place, "expected a mixture of weights from 0 to 1 that the cell leads, found another");
  }
}

}  // namespace

Bytes encode_cell(const coev::Settings& settings, const coev::CellState& state,
                  const checkpoint::CellOrigin& origin) {
  Parts parts;
  for (const NetworkRole role : coev::kNetworkRoles) {
    const coev::Genome& g = genome(state.centre, role);
    parts.numbers[role] = {g.learning_rate, {g.loss, g.step, g.origin.value}};
  }
  for (const CellId cell : state.mixture.cells) parts.mixture_cells.push_back(cell.value);
  add_tensors(parts, Networks(settings), state);
  return checkpoint::encode_tensors(parts.tensors, checkpoint::to_metadata(origin));
}

coev::CellState decode_cell(const checkpoint::TensorFile& file, const std::string& place,
                            const coev::Settings& settings, const checkpoint::CellOrigin& origin) {
  check_origin(checkpoint::origin_of(file.metadata(), place), origin, place);
  const Networks networks(settings);
  coev::CellState state;
  state.id = origin.cell;
  state.generation = origin.generation;
  for (const NetworkRole role : coev::kNetworkRoles) {
    genome(state.centre, role) = networks.shapes[role].make();
  }
  const std::uint64_t n = n_mixture_cells(file.tensors());
  state.mixture.cells.resize(n);
  state.mixture.weights.resize(n);
  Parts parts;
  parts.mixture_cells.resize(n);
  add_tensors(parts, networks, state);
  fill(parts, file.tensors(), place);
  take_numbers(parts, state, place);
  return state;
}

coev::CellState read_cell(const std::filesystem::path& path, const coev::Settings& settings,
                          const checkpoint::CellOrigin& origin) {
  return decode_cell(checkpoint::read_tensors(path), path.string(), settings, origin);
}

}  // namespace lipizz::worker
