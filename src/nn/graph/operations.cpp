#include "nn/graph/operations.hpp"

#include <vector>

namespace lipizz::nn {

std::span<const Operation* const> operations() {
  static const std::vector<const Operation*> kAll = [] {
    std::vector<const Operation*> all;
    for (const auto family :
         {products_operations(), convolution_operations(), elementwise_operations(),
          slicing_operations(), resampling_operations(), broadcasting_operations(),
          normalisation_operations(), attention_operations(), embedding_operations(),
          spectral_operations(), adversarial_operations(), losses_operations(),
          randomised_operations(), augmentation_operations(), drawing_operations(),
          updates_operations(), rounding_operations(), collective_operations()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace lipizz::nn
