#include "coev/loss_mutation.hpp"

#include <array>

#include "coev/loss_mutation/each.hpp"
#include "coev/loss_mutation/none.hpp"
#include "coev/loss_mutation/uniform.hpp"

namespace lipizz::coev {

std::span<const LossMutation* const> loss_mutations() {
  static constexpr std::array kMutations{&kNoLossMutation, &kUniformLossMutation,
                                         &kEachLossMutation};
  return kMutations;
}

}  // namespace lipizz::coev
