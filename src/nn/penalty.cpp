#include "nn/penalty.hpp"

#include <array>
#include <cmath>

#include "core/table.hpp"
#include "nn/losses/terms.hpp"

namespace lipizz::nn {
namespace {

// Where a derivative vanishes, its length still has a slope.
constexpr auto length = [](auto squared) { return std::sqrt(squared + decltype(squared)(1e-12)); };
constexpr auto length_from_1 =
    term([](auto s) { return square(length(s) - 1); }, [](auto s) { return 1 - 1 / length(s); });
constexpr auto half = term([](auto s) { return s / 2; }, [](auto s) { return decltype(s)(0.5); });

using Where = Penalty::Where;
constexpr std::array kPenalties{
    Penalty{"wgan-gp",
            "(|dD| - 1)^2 between real and generated samples, for the loss wasserstein with weight "
            "10 (Gulrajani et al. 2017)",
            Where::kInterpolated, length_from_1},
    Penalty{"r1", "1/2 |dD|^2 at real samples (Mescheder et al. 2018)", Where::kAtReal, half},
    Penalty{"dragan",
            "(|dD| - 1)^2 at x + 0.5 u std(x), u uniform in [0, 1) for each value (Kodali et al. "
            "2017)",
            Where::kNearReal, length_from_1},
};

}  // namespace

std::span<const Penalty> penalties() {
  return kPenalties;
}

const Penalty& find_penalty(std::string_view name) {
  return find_row(penalties(), &Penalty::name, name, "penalty");
}

}  // namespace lipizz::nn
