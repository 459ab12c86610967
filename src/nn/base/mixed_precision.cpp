#include "nn/base/mixed_precision.hpp"

#include <array>
#include <string_view>

#include "core/table.hpp"

namespace lipizz::nn {
namespace {

struct Format {
  std::string_view name;
  std::optional<Half> format;
};

constexpr std::array kAll{Format{"none", {}}, Format{"fp16", Half::kFp16},
                          Format{"bf16", Half::kBf16}};

}  // namespace

std::optional<Half> parse_value_format(std::string_view name) {
  return find_row(
             kAll, [](const Format& row) { return row.name; }, name, "mixed precision")
      .format;
}

}  // namespace lipizz::nn
