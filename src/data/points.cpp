#include "data/points.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "core/math.hpp"
#include "core/random.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint64_t kRingSeed = 0x72696e6738;    // "ring8"
constexpr std::uint64_t kGridSeed = 0x677269643235;  // "grid25"
constexpr std::uint32_t kNTrain = 100'000;
constexpr std::uint32_t kNTest = 10'000;

std::vector<Mode> ring_modes() {
  std::vector<Mode> modes;
  for (int k = 0; k < 8; ++k) {
    const math::SinCos angle = math::sincos_turns(static_cast<float>(k) / 8.0f);
    modes.push_back({angle.cos, angle.sin, 0.01f});
  }
  return modes;
}

std::vector<Mode> grid_modes() {
  std::vector<Mode> modes;
  for (int row = -2; row <= 2; ++row) {
    for (int column = -2; column <= 2; ++column) {
      modes.push_back({static_cast<float>(2 * column), static_cast<float>(2 * row), 0.05f});
    }
  }
  return modes;
}

void fill(std::uint64_t seed, std::span<const Mode> modes, const Content& content) {
  // Two streams of one key, so that a point's noise says nothing about its mode.
  const Random noise(seed, Purpose::kDataset, CellId{0});
  const Random choice(seed, Purpose::kDataset, CellId{1});
  const auto n = static_cast<std::uint32_t>(content.labels.size());
  noise.normals(0, n, 2, content.values);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t k = choice.below(static_cast<std::uint32_t>(modes.size()), i);
    float* point = content.values.data() + std::size_t{2} * i;
    point[0] = modes[k].x + modes[k].sigma * point[0];
    point[1] = modes[k].y + modes[k].sigma * point[1];
    content.labels[i] = static_cast<Label>(k);
  }
}

DatasetSource points(const char* name, std::uint64_t seed, const std::vector<Mode>& modes) {
  Description about;
  about.name = name;
  about.kind = SampleKind::kPoint;
  about.shape = {.height = 1, .width = 1, .channels = 2};
  about.n_train = kNTrain;
  about.n_test = kNTest;
  about.n_classes = static_cast<std::uint32_t>(modes.size());
  about.modes = modes;
  return {std::move(about), [=](const Content& content) { fill(seed, modes, content); }};
}

}  // namespace

DatasetSource find_ring8(const OpenOptions&) {
  return points("ring8", kRingSeed, ring_modes());
}

DatasetSource find_grid25(const OpenOptions&) {
  return points("grid25", kGridSeed, grid_modes());
}

}  // namespace lipizz::data
