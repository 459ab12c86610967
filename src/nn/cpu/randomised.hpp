#pragma once

#include "nn/cpu/kernels.hpp"

/// Operations with random numbers, the same loops on all backends.
namespace lipizz::nn {

template <class T>
void dropout(const Graph& graph, ValueId value, T* const* values);
template <class T>
void augment(const Graph& graph, ValueId value, T* const* values);
template <class T>
void augment_gradient(const Graph& graph, ValueId value, T* const* values);
template <class T>
void between(const Graph& graph, ValueId value, T* const* values);
template <class T>
void around(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
