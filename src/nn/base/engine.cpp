#include "nn/base/engine.hpp"

#include <array>

#include "core/table.hpp"

namespace lipizz::nn {
namespace {

constexpr std::array kBackends{Backend::kReference, Backend::kOneDnn};

constexpr auto kNameOf = [](auto value) { return to_string(value); };

}  // namespace

std::string_view to_string(Backend backend) {
  return backend == Backend::kReference ? "reference" : "onednn";
}

std::string_view to_string(NumericsLevel level) {
  switch (level) {
    case NumericsLevel::kBaseline:
      return "baseline";
    case NumericsLevel::kAvx2:
      return "avx2";
    case NumericsLevel::kAvx512:
      return "avx512";
    case NumericsLevel::kAvx512Bf16:
      return "avx512_bf16";
    case NumericsLevel::kAmx:
      return "amx";
  }
  return "";
}

Backend parse_backend(std::string_view name) {
  return find_row(kBackends, kNameOf, name, "engine");
}

NumericsLevel parse_numerics_level(std::string_view name) {
  return find_row(kNumericsLevels, kNameOf, name, "numerics level");
}

}  // namespace lipizz::nn
