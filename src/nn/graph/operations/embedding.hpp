#pragma once

#include "nn/graph/operation.hpp"

/// Rows of a table by class.
namespace lipizz::nn {

extern const Operation kEmbedding;
extern const Operation kEmbeddingGradient;

std::span<const Operation* const> embedding_operations();

}  // namespace lipizz::nn
