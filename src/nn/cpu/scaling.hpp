#pragma once

#include "nn/cpu/kernels.hpp"

/// Products by channel, sums over rows and second derivatives, the same loops on all backends.
/// Sums are taken in double, rows in order.
namespace lipizz::nn {

template <class T>
void fill(const Graph& graph, ValueId value, T* const* values);
template <class T>
void spread_rows(const Graph& graph, ValueId value, T* const* values);
template <class T>
void scale_rows(const Graph& graph, ValueId value, T* const* values);
template <class T>
void product_sums(const Graph& graph, ValueId value, T* const* values);
template <class T>
void modulate(const Graph& graph, ValueId value, T* const* values);
template <class T>
void activation_curvature(const Graph& graph, ValueId value, T* const* values);
template <class T>
void normalise_curvature(const Graph& graph, ValueId value, T* const* values);
template <class T>
void move_average(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
