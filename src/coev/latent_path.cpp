#include "coev/latent_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/check.hpp"
#include "core/math.hpp"

namespace lipizz::coev {
namespace {

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

// The angle of this cosine, from 0 to half a turn. Bisection asks for nothing but our own cosine,
// whose bits do not depend on the C library.
float turns_of(double cosine) {
  constexpr int kBits = 26;
  float low = 0;
  float high = 0.5f;
  for (int i = 0; i < kBits; ++i) {
    const float middle = 0.5f * (low + high);
    (math::sincos_turns(middle).cos > cosine ? low : high) = middle;
  }
  return low;
}

struct Weights {
  float a;
  float b;
};

Weights weights_at(std::span<const float> a, std::span<const float> b, float t) {
  constexpr float kSmallestSine = 1e-3f;
  const double lengths = std::sqrt(dot(a, a)) * std::sqrt(dot(b, b));
  const float turns = lengths > 0 ? turns_of(dot(a, b) / lengths) : 0;
  const float whole = math::sincos_turns(turns).sin;
  if (whole < kSmallestSine) return {1 - t, t};
  return {math::sincos_turns((1 - t) * turns).sin / whole,
          math::sincos_turns(t * turns).sin / whole};
}

}  // namespace

std::vector<float> on_great_circle(std::span<const float> a, std::span<const float> b, float t) {
  LIPIZZ_ASSERT(a.size() == b.size() && t >= 0 && t <= 1);
  const Weights weights = weights_at(a, b, t);
  std::vector<float> point(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) point[i] = weights.a * a[i] + weights.b * b[i];
  return point;
}

}  // namespace lipizz::coev
