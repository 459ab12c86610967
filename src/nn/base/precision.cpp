#include "nn/base/precision.hpp"

#include <array>

#include "core/table.hpp"

namespace lipizz::nn {
namespace {

constexpr std::array kAll{Precision::kF32, Precision::kTf32, Precision::kBf16};

}  // namespace

Precision parse_precision(std::string_view name) {
  return find_row(
      kAll, [](Precision precision) { return to_string(precision); }, name, "precision");
}

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return "f32";
    case Precision::kTf32:
      return "tf32";
    case Precision::kBf16:
      return "bf16";
  }
  return "";
}

double tolerance_of(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return 1e-4;
    case Precision::kTf32:
      return 1e-2;
    case Precision::kBf16:
      return 5e-2;
  }
  return 0;
}

}  // namespace lipizz::nn
