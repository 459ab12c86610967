#pragma once

#include "nn/cpu/kernels.hpp"

/// Kernels of what a step draws, for both CPU engines.
namespace lipizz::nn {

template <class T>
void draw_normals(const Graph& graph, ValueId value, T* const* values);
template <class T>
void draw_uniforms(const Graph& graph, ValueId value, T* const* values);
template <class T>
void draw_classes(const Graph& graph, ValueId value, T* const* values);
template <class T>
void read_samples(const Graph& graph, ValueId value, T* const* values);
template <class T>
void read_labels(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
