#include "coev/rate_mutation.hpp"

#include <array>

#include "coev/rate_mutation/gaussian.hpp"
#include "coev/rate_mutation/log_normal.hpp"
#include "coev/rate_mutation/none.hpp"
#include "coev/rate_mutation/perturb.hpp"

namespace lipizz::coev {

std::span<const RateMutation* const> rate_mutations() {
  static constexpr std::array kMutations{&kNoRateMutation, &kGaussianRateMutation,
                                         &kLogNormalRateMutation, &kPerturbRateMutation};
  return kMutations;
}

}  // namespace lipizz::coev
