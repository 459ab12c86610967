#pragma once

#include <cstdint>
#include <string_view>

#include "core/ids.hpp"

namespace lipizz::comm {

/// The three communicators of Perez et al., and that of a cell's ranks; CommManager says who is in
/// each.
enum class Scope : std::uint8_t { kWorld = 0, kLocal, kGlobal, kCell };
inline constexpr std::size_t kScopes = 4;

/// `WORLD`, `LOCAL`, `GLOBAL`, `CELL`
[[nodiscard]] std::string_view to_string(Scope scope);

/// The way of one message.
struct Route {
  Scope scope = Scope::kWorld;
  Rank source;  // ranks are those of WORLD
  Rank destination;
  int tag = 0;
};

}  // namespace lipizz::comm
