#pragma once

#include <span>

#include "nn/graph/operation.hpp"
#include "nn/graph/operations/adversarial.hpp"
#include "nn/graph/operations/attention.hpp"
#include "nn/graph/operations/augmentation.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/operations/collective.hpp"
#include "nn/graph/operations/convolution.hpp"
#include "nn/graph/operations/drawing.hpp"
#include "nn/graph/operations/elementwise.hpp"
#include "nn/graph/operations/embedding.hpp"
#include "nn/graph/operations/losses.hpp"
#include "nn/graph/operations/normalisation.hpp"
#include "nn/graph/operations/products.hpp"
#include "nn/graph/operations/randomised.hpp"
#include "nn/graph/operations/resampling.hpp"
#include "nn/graph/operations/rounding.hpp"
#include "nn/graph/operations/slicing.hpp"
#include "nn/graph/operations/spectral.hpp"
#include "nn/graph/operations/updates.hpp"

namespace lipizz::nn {

/// Every operation there is: those of the families, one after the other.
std::span<const Operation* const> operations();

}  // namespace lipizz::nn
