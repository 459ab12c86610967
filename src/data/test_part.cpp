#include "data/test_part.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/random.hpp"

namespace lipizz::data {
namespace {

std::vector<std::uint32_t> permutation(std::size_t n) {
  return Random(1, Purpose::kTestPart).permutation(static_cast<std::uint32_t>(n));
}

}  // namespace

SampleParts with_test_share(std::uint32_t n, double share) {
  LIPIZZ_ASSERT(n >= 2);
  const auto wanted = static_cast<std::uint32_t>(std::lround(share * n));
  return {.order = permutation(n), .n_train = n - std::clamp(wanted, 1U, n - 1)};
}

void shuffle_samples(std::vector<std::uint32_t>& indices) {
  const std::vector<std::uint32_t> given = indices;
  const std::vector<std::uint32_t> places = permutation(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) indices[i] = given[places[i]];
}

}  // namespace lipizz::data
