#include "worker/cell_file.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "checkpoint/support.hpp"
#include "coev/island.hpp"
#include "coev/opponents/history.hpp"
#include "coev/support.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace lipizz::worker::cell_file_test {
namespace {

using checkpoint::CellOrigin;
using coev::testing::tiny_settings;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr Generation kGeneration = 2;
constexpr std::uint32_t kNCells = 3;
const CellOrigin kOrigin{
    .cell = {1},
    .generation = kGeneration,
    .lineage = {.configuration = 0xabcU, .numerics = "baseline", .dataset = 7, .judge = 5}};

// The second cell of a 1x3 grid after two generations of the real algorithm.
coev::CellState trained(const coev::Settings& settings) {
  const coev::testing::ToyDataset dataset(coev::testing::kTinySamples);
  coev::testing::MeanScorer scorer;
  coev::Island island(settings, {1, 3}, {{0}, {1}, {2}}, dataset, scorer, coev::testing::host());
  for (Generation generation = 1; generation <= kGeneration; ++generation) {
    for (const CellId cell : island.hosted()) {
      for (const CellId neighbour : island.needs(cell, generation)) {
        island.receive(cell, neighbour, island.publication(neighbour));
      }
    }
    island.evolve(
        generation, [](CellId) {}, [] { return true; });
    island.evaluate(generation);
  }
  return island.state({1});
}

std::vector<coev::Settings> all_optimizers() {
  std::vector<coev::Settings> all;
  for (nn::OptimizerId kind = 0; kind < nn::optimizers().size(); ++kind) {
    all.push_back(tiny_settings());
    all.back().generator.optimizer.kind = kind;
    all.back().operators.loss_mutation.losses = {1, 3};
  }
  return all;
}

bool is_same(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expect_same_bits(const coev::CellState& a, const coev::CellState& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.generation, b.generation);
  for (const coev::NetworkRole role : coev::kNetworkRoles) {
    const coev::Genome& mine = genome(a.centre, role);
    const coev::Genome& theirs = genome(b.centre, role);
    EXPECT_TRUE(is_same(mine.parameters, theirs.parameters));
    EXPECT_TRUE(is_same(mine.moments, theirs.moments));
    EXPECT_TRUE(is_same(mine.learning_rate, theirs.learning_rate));
    EXPECT_EQ(mine.loss, theirs.loss);
    EXPECT_EQ(mine.step, theirs.step);
    EXPECT_EQ(mine.origin, theirs.origin);
  }
  EXPECT_EQ(a.history.generator, b.history.generator);
  EXPECT_EQ(a.history.discriminator, b.history.discriminator);
  EXPECT_EQ(a.mixture.cells, b.mixture.cells);
  ASSERT_EQ(a.mixture.weights.size(), b.mixture.weights.size());
  for (std::size_t i = 0; i < a.mixture.weights.size(); ++i) {
    EXPECT_TRUE(is_same(a.mixture.weights[i], b.mixture.weights[i]));
  }
}

// A trained cell's file, and what read_cell() says to it.
struct Fixture {
  void write(const coev::CellState& what) const {
    write_atomically(file, encode_cell(settings, what, kOrigin));
  }
  std::string complaint(const CellOrigin& origin = kOrigin) const {
    return complaint(origin, settings);
  }
  std::string complaint(const CellOrigin& origin, const coev::Settings& as) const {
    try {
      read_cell(file, as, kNCells, origin);
      return "";
    } catch (const CheckpointError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.string()));
      return error.what();
    }
  }

  TemporaryFolder folder;
  fs::path file = folder / "cell";
  coev::Settings settings = tiny_settings();
  coev::CellState state = trained(settings);
};

TEST(CellFile, a_trained_cell_reads_back_to_the_same_bits) {
  const TemporaryFolder folder;
  for (const coev::Settings& settings : all_optimizers()) {
    const coev::CellState state = trained(settings);
    ASSERT_GT(state.centre.generator.step, 0U);
    ASSERT_EQ(state.mixture.cells.size(), 3U);
    const Bytes bytes = encode_cell(settings, state, kOrigin);
    write_atomically(folder / "cell", bytes);
    expect_same_bits(read_cell(folder / "cell", settings, kNCells, kOrigin), state);
    const auto copy = checkpoint::decode_tensors(bytes, "a copy");
    expect_same_bits(decode_cell(copy, "a copy", settings, kNCells, kOrigin), state);
  }
}

TEST(CellFile, the_past_that_opponents_ask_for_reads_back) {
  const TemporaryFolder folder;
  coev::Settings settings = tiny_settings();
  settings.discriminator.opponents = {coev::kHistoryOpponents, {0.5, 2, 1}};
  coev::CellState state = trained(settings);
  ASSERT_EQ(state.history.generator.size(), std::min(2U, kOrigin.generation));
  write_atomically(folder / "cell", encode_cell(settings, state, kOrigin));
  expect_same_bits(read_cell(folder / "cell", settings, kNCells, kOrigin), state);
  state.history.generator[0].writable()[0] = std::numeric_limits<float>::infinity();
  write_atomically(folder / "cell", encode_cell(settings, state, kOrigin));
  EXPECT_THROW(read_cell(folder / "cell", settings, kNCells, kOrigin), CheckpointError);
  EXPECT_THROW(read_cell(folder / "cell", tiny_settings(), kNCells, kOrigin), CheckpointError);
}

TEST(CellFile, every_number_finds_its_place) {
  Fixture disk;
  disk.settings.operators.loss_mutation.losses = {1, 3};
  disk.settings.discriminator.loss = 1;
  disk.state.centre.generator.learning_rate = 1 / 3.0;
  disk.state.centre.generator.loss = 3;
  disk.state.centre.generator.step = 1U << 31;
  disk.state.centre.generator.origin = {2};
  disk.state.centre.generator.parameters.writable()[0] = -0.0f;
  disk.state.centre.discriminator.learning_rate = 0;
  disk.state.centre.discriminator.loss = 1;
  disk.state.centre.discriminator.step = 5;
  disk.state.centre.discriminator.origin = {0};
  disk.state.centre.discriminator.moments.writable()[1] = std::numeric_limits<float>::denorm_min();
  disk.settings.discriminator.optimizer.mixed = {nn::Half::kFp16};
  disk.state.centre.discriminator.loss_scale = {256, 1999};
  disk.state.mixture = {{{1}, {0}}, {0.0, 1.0}};
  disk.write(disk.state);
  expect_same_bits(read_cell(disk.file, disk.settings, kNCells, kOrigin), disk.state);
}

TEST(CellFile, tensors_are_named_after_network_and_layer) {
  const Fixture disk;
  disk.write(disk.state);
  const checkpoint::TensorFile file = checkpoint::read_tensors(disk.file);
  std::vector<std::string> names;
  for (const checkpoint::TensorView& tensor : file.tensors()) names.push_back(tensor.name);
  EXPECT_EQ(names.size(), 2 * (3 * 4 + 2) + 2U) << "parameters and two moments of two layers each";
  EXPECT_THAT(names,
              ::testing::IsSupersetOf({"generator.0.weight", "generator.moment1.0.weight",
                                       "generator.moment2.1.bias", "generator.learning_rate",
                                       "discriminator.1.weight", "discriminator.loss_step_origin",
                                       "mixture.cells", "mixture.weights"}));
  EXPECT_EQ(file.metadata(), checkpoint::to_metadata(kOrigin));
}

TEST(CellFile, trained_on_other_data_is_refused_saying_so) {
  const Fixture disk;
  disk.write(disk.state);
  CellOrigin other = kOrigin;
  other.lineage.dataset = 8;
  EXPECT_THAT(disk.complaint(other),
              AllOf(HasSubstr("data of hash 0000000000000007"), HasSubstr("0000000000000008")));
}

TEST(CellFile, scored_by_another_judge_is_refused_saying_so) {
  const Fixture disk;
  disk.write(disk.state);
  CellOrigin other = kOrigin;
  other.lineage.judge = 6;
  EXPECT_THAT(disk.complaint(other),
              AllOf(HasSubstr("the judge of hash 0000000000000005"), HasSubstr("0000000000000006"),
                    HasSubstr("the build of lipizz that began the run")));
}

TEST(CellFile, of_another_cell_generation_or_run_is_refused) {
  const Fixture disk;
  disk.write(disk.state);
  EXPECT_EQ(disk.complaint(), "");
  const auto refused = [&](const std::function<void(CellOrigin&)>& change) {
    CellOrigin other = kOrigin;
    change(other);
    EXPECT_THAT(disk.complaint(other), HasSubstr("of this run, found another's"));
  };
  refused([](CellOrigin& other) { other.cell = {2}; });
  refused([](CellOrigin& other) { other.generation = 3; });
  refused([](CellOrigin& other) { other.lineage.configuration = 0; });
  refused([](CellOrigin& other) { other.lineage.numerics = "avx2"; });
}

TEST(CellFile, of_other_networks_or_optimizers_is_refused) {
  const Fixture disk;
  disk.write(disk.state);
  const auto refused = [&](const std::function<void(coev::Settings&)>& change) {
    coev::Settings other = disk.settings;
    change(other);
    EXPECT_THAT(disk.complaint(kOrigin, other), HasSubstr("tensors of this run's networks"));
  };
  refused([](coev::Settings& other) { other.model.generator.layers[0].outputs += 1; });
  refused([](coev::Settings& other) { other.model.generator.inputs[0] += 1; });
  refused([](coev::Settings& other) { other.model.discriminator.layers[0].outputs -= 1; });
  refused([](coev::Settings& other) {
    other.model.discriminator.layers.insert(other.model.discriminator.layers.begin(), {6});
  });
  refused([](coev::Settings& other) {
    other.discriminator.optimizer.kind = nn::find_optimizer("rmsprop");
  });
}

TEST(CellFile, with_tensors_that_lack_or_differ_is_refused) {
  const Fixture disk;
  disk.write(disk.state);
  const checkpoint::TensorFile good = checkpoint::read_tensors(disk.file);
  const std::vector<checkpoint::TensorView> tensors(good.tensors().begin(), good.tensors().end());
  const auto refused = [&](const std::vector<checkpoint::TensorView>& others) {
    checkpoint::write_tensors(disk.file, others, good.metadata());
    EXPECT_THAT(disk.complaint(), HasSubstr("tensors of this run's networks"));
  };
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    auto others = tensors;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    refused(others);
    others = tensors;
    others[i].name += "x";
    refused(others);
    others = tensors;
    others[i].shape.push_back(1);
    refused(others);
  }
  auto more = tensors;
  more.push_back({"more", tensors[0].type, tensors[0].shape, tensors[0].data});
  refused(more);
  checkpoint::write_tensors(disk.file, tensors, good.metadata());
  EXPECT_EQ(disk.complaint(), "");
}

TEST(CellFile, that_is_missing_or_damaged_is_refused) {
  const Fixture disk;
  EXPECT_THAT(disk.complaint(), HasSubstr("found none"));
  disk.write(disk.state);
  std::string bytes = checkpoint::testing::read_file(disk.file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 16);
  checkpoint::testing::write_file(disk.file, bytes);
  EXPECT_NE(disk.complaint(), "");
}

// No writer makes these: numbers that the state has no room for.
TEST(CellFile, a_number_that_would_be_cut_is_refused) {
  const Fixture disk;
  for (const std::size_t place : {1U, 2U}) {
    const auto whole =
        checkpoint::decode_tensors(encode_cell(disk.settings, disk.state, kOrigin), "whole");
    std::vector<checkpoint::TensorView> tensors(whole.tensors().begin(), whole.tensors().end());
    const auto found =
        std::ranges::find(tensors, "generator.loss_step_origin", &checkpoint::TensorView::name);
    ASSERT_NE(found, tensors.end());
    std::array<std::uint64_t, 3> numbers{};
    std::memcpy(numbers.data(), found->data.data(), sizeof numbers);
    numbers[place] += std::uint64_t{1} << 32;
    found->data = std::as_bytes(std::span(numbers));
    write_atomically(disk.file, checkpoint::encode_tensors(tensors, whole.metadata()));
    EXPECT_THAT(disk.complaint(), HasSubstr("expected a number below 2^32"));
  }
}

TEST(CellFile, a_copy_that_is_refused_is_named) {
  const Fixture disk;
  const auto copy =
      checkpoint::decode_tensors(encode_cell(disk.settings, disk.state, kOrigin), "a copy");
  CellOrigin other = kOrigin;
  other.cell = {2};
  try {
    decode_cell(copy, "copy of cell 2", disk.settings, kNCells, other);
    FAIL() << "took it for its own";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr("copy of cell 2: expected generation 2"));
  }
}

}  // namespace
}  // namespace lipizz::worker::cell_file_test
