#pragma once

#include "core/math.hpp"
#include "nn/base/loss.hpp"

/// Functions of one logit that losses are made of.
namespace lipizz::nn {

/// A function and its derivative: generic lambdas without captures, so that each serves both
/// precisions, and every device can be compiled for it.
template <class ValueFunction, class SlopeFunction>
struct TypedTerm {
  using Value = ValueFunction;
  using Slope = SlopeFunction;
  Value value;
  Slope slope;

  /// As the rows of tables hold it.
  constexpr operator Loss::Term() const { return {value, slope, value, slope}; }
};

template <class Value, class Slope>
constexpr TypedTerm<Value, Slope> term(Value value, Slope slope) {
  return {value, slope};
}

/// A loss as its header declares it; `Loss` says what the fields are.
template <class GeneratorTerm, class RealTerm, class FakeTerm>
struct TypedLoss {
  using Generator = GeneratorTerm;
  using Real = RealTerm;
  using Fake = FakeTerm;
  std::string_view name;
  std::string_view summary;
  Generator generator;
  Real real;
  Fake fake;
  bool is_relativistic = false;

  constexpr operator Loss() const {
    return {name, summary, generator, real, fake, is_relativistic};
  }
};
// Clang deduces no aggregates before its version 17.
template <class Generator, class Real, class Fake>
TypedLoss(std::string_view, std::string_view, Generator, Real, Fake, bool = false)
    -> TypedLoss<Generator, Real, Fake>;

/// l and -l.
inline constexpr auto logit = term([](auto l) { return l; }, [](auto l) { return decltype(l){1}; });
inline constexpr auto minus_logit =
    term([](auto l) { return -l; }, [](auto l) { return decltype(l){-1}; });
/// No part of the loss.
inline constexpr auto nothing =
    term([](auto l) { return decltype(l){0}; }, [](auto l) { return decltype(l){0}; });

/// -log D and -log(1 - D).
inline constexpr auto minus_log_d =
    term([](auto l) { return math::softplus(-l); }, [](auto l) { return -math::sigmoid(-l); });
inline constexpr auto minus_log_not_d =
    term([](auto l) { return math::softplus(l); }, [](auto l) { return math::sigmoid(l); });

template <class T>
constexpr T square(T x) {
  return x * x;
}

}  // namespace lipizz::nn
