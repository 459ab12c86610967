#pragma once

#include "nn/cpu/kernels.hpp"

/// Softmax and embeddings, the same loops on all backends.
namespace lipizz::nn {

template <class T>
void softmax(const Graph& graph, ValueId value, T* const* values);
template <class T>
void softmax_gradient(const Graph& graph, ValueId value, T* const* values);
template <class T>
void embedding(const Graph& graph, ValueId value, T* const* values);
template <class T>
void embedding_gradient(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
