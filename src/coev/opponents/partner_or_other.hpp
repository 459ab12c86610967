#pragma once

#include <cstddef>
#include <cstdint>

#include "coev/opponents.hpp"

/// The draw of choices that take the partner in a share of the steps.
namespace lipizz::coev {

/// The partner with probability `share`, otherwise any of the `n_others` opponents from index
/// `first_other` on; always the partner where there are none.
inline std::size_t partner_or_other(const OpponentsInput& input, double share,
                                    std::size_t first_other, std::uint32_t n_others) {
  const bool is_other =
      n_others > 0 && input.random.uniform(input.step, 1) >= static_cast<float>(share);
  return is_other ? first_other + input.random.below(n_others, input.step) : 0;
}

}  // namespace lipizz::coev
