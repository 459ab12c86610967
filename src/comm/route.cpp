#include "comm/route.hpp"

namespace lipizz::comm {

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::kWorld:
      return "WORLD";
    case Scope::kLocal:
      return "LOCAL";
    case Scope::kGlobal:
      return "GLOBAL";
    case Scope::kCell:
      return "CELL";
  }
  return "?";
}

}  // namespace lipizz::comm
