#include "nn/cpu/convolution_choice.hpp"

namespace lipizz::nn {

ConvolutionWay choose_way(const Operation& operation, const ConvolutionShape& shape) {
  constexpr std::size_t kManyPlaces = 64;
  constexpr std::uint32_t kVector = 16;
  const bool has_full_vectors = shape.y[3] % kVector == 0;
  const bool is_forward = &operation == &kConvolution;
  const bool are_weights = &operation == &kConvolutionWeights;
  const bool is_primitive = has_full_vectors && ((is_forward && shape.n_places() >= kManyPlaces) ||
                                                 (are_weights && shape.x[3] < kVector));
  return is_primitive ? ConvolutionWay::kPrimitive : ConvolutionWay::kWindows;
}

}  // namespace lipizz::nn
