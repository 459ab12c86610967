#pragma once

#include <cmath>
#include <cstddef>

/// The largest singular value of a layer's weights, by power iteration (Miyato et al. 2018).
/// Weights are a matrix [n_in, n_out] in row-major order; u: [n_out], v: [n_in], both of length
/// one. Sums are taken in double, in order.
namespace lipizz::nn {

template <class T>
void normalise_vector(T* x, std::size_t n) {
  constexpr double kSmallest = 1e-12;
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) square += static_cast<double>(x[i]) * x[i];
  const double length = std::sqrt(square);
  const double rate = 1 / (length > kSmallest ? length : kSmallest);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(x[i] * rate);
}

/// v = w u, u = w^T v, each brought to length one.
template <class T>
void iterate_power(const T* w, std::size_t n_in, std::size_t n_out, T* u, T* v) {
  for (std::size_t i = 0; i < n_in; ++i) {
    double sum = 0;
    for (std::size_t o = 0; o < n_out; ++o) sum += static_cast<double>(w[i * n_out + o]) * u[o];
    v[i] = static_cast<T>(sum);
  }
  normalise_vector(v, n_in);
  for (std::size_t o = 0; o < n_out; ++o) u[o] = 0;
  for (std::size_t i = 0; i < n_in; ++i) {
    for (std::size_t o = 0; o < n_out; ++o) u[o] += w[i * n_out + o] * v[i];
  }
  normalise_vector(u, n_out);
}

/// v^T w u
template <class T>
double singular_value(const T* w, std::size_t n_in, std::size_t n_out, const T* u, const T* v) {
  double value = 0;
  for (std::size_t i = 0; i < n_in; ++i) {
    double sum = 0;
    for (std::size_t o = 0; o < n_out; ++o) sum += static_cast<double>(w[i * n_out + o]) * u[o];
    value += sum * v[i];
  }
  return value;
}

}  // namespace lipizz::nn
