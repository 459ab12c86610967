#pragma once

#include <cmath>
#include <cstddef>
#include <tuple>

#include "nn/base/losses/terms.hpp"
#include "nn/base/penalty.hpp"

namespace lipizz::nn {

/// A penalty with the type of its term, so that devices can be compiled for it; `Penalty` says what
/// the fields are.
template <class TermType>
struct TypedPenalty {
  using Term = TermType;
  std::string_view name;
  std::string_view summary;
  Penalty::Where where;
  Term term;

  constexpr operator Penalty() const { return {name, summary, where, term}; }
};
// Clang deduces no aggregates before its version 17.
template <class Term>
TypedPenalty(std::string_view, std::string_view, Penalty::Where, Term) -> TypedPenalty<Term>;

/// (length - 1)^2; where a derivative vanishes, its length still has a slope.
inline constexpr auto length_from_1 =
    term([](auto s) { return square(std::sqrt(s + decltype(s)(1e-12)) - 1); },
         [](auto s) { return 1 - 1 / std::sqrt(s + decltype(s)(1e-12)); });
/// Its mean over as many real as generated samples is half of the sum of both means.
inline constexpr auto square_itself =
    term([](auto s) { return s; }, [](auto s) { return decltype(s){1}; });
inline constexpr auto half_of_square =
    term([](auto s) { return s / 2; }, [](auto s) { return decltype(s)(0.5); });

/// Every penalty there is.
inline constexpr std::tuple kPenaltyTable{
    TypedPenalty{"wgan-gp",
                 "(|dD| - 1)^2 between real and generated samples, for the loss wasserstein with "
                 "weight 10 (Gulrajani et al. 2017)",
                 Penalty::Where::kInterpolated, length_from_1},
    TypedPenalty{"r1", "1/2 |dD|^2 at real samples (Mescheder et al. 2018)",
                 Penalty::Where::kAtReal, half_of_square},
    TypedPenalty{"dragan",
                 "(|dD| - 1)^2 at x + 0.5 u std(x), u uniform in [0, 1) for each value (Kodali et "
                 "al. 2017)",
                 Penalty::Where::kNearReal, length_from_1},
    TypedPenalty{"r1-r2",
                 "1/2 |dD|^2 at real samples and 1/2 |dD|^2 at generated ones, for the loss "
                 "relativistic (Mescheder et al. 2018; Huang et al. 2024)",
                 Penalty::Where::kAtBoth, square_itself},
};

inline constexpr std::size_t kNPenalties = std::tuple_size_v<decltype(kPenaltyTable)>;

template <std::size_t row>
using PenaltyRow = std::remove_const_t<std::tuple_element_t<row, decltype(kPenaltyTable)>>;

}  // namespace lipizz::nn
