#pragma once

#include "nn/cpu/kernels.hpp"

/// Copies and sums of elements, the same loops on all backends: memory bounds them.
namespace lipizz::nn {

template <class T>
void concatenate(const Graph& graph, ValueId value, T* const* values);
template <class T>
void take_channels(const Graph& graph, ValueId value, T* const* values);
template <class T>
void spread_channels(const Graph& graph, ValueId value, T* const* values);
template <class T>
void upsample(const Graph& graph, ValueId value, T* const* values);
template <class T>
void sum_blocks(const Graph& graph, ValueId value, T* const* values);
template <class T>
void max_blocks(const Graph& graph, ValueId value, T* const* values);
template <class T>
void pick_max(const Graph& graph, ValueId value, T* const* values);
template <class T>
void route_max(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
