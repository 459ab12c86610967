#pragma once

#include "core/math.hpp"
#include "nn/loss.hpp"

/// Functions of one logit that losses are made of.
namespace lipizz::nn {

/// From generic lambdas without captures, so that each serves both precisions.
template <class Value, class Slope>
constexpr Loss::Term term(Value value, Slope slope) {
  return {value, slope, value, slope};
}

/// l and -l.
inline constexpr auto logit = term([](auto l) { return l; }, [](auto l) { return decltype(l){1}; });
inline constexpr auto minus_logit =
    term([](auto l) { return -l; }, [](auto l) { return decltype(l){-1}; });

/// sigmoid(l), and sigmoid(l) - 1 without cancellation.
inline constexpr auto sigmoid = [](auto l) { return math::sigmoid(l); };
inline constexpr auto sigmoid_minus_1 = [](auto l) { return -math::sigmoid(-l); };

template <class T>
T square(T x) {
  return x * x;
}

}  // namespace lipizz::nn
