#include "report/json_depth.hpp"

namespace lipizz::report {

bool is_shallow_json(std::string_view text, std::size_t depth) {
  std::size_t open = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string && c == '\\') ++i;
    if (c == '"') is_in_string = !is_in_string;
    if (is_in_string) continue;
    if ((c == '[' || c == '{') && ++open > depth) return false;
    if ((c == ']' || c == '}') && open > 0) --open;
  }
  return true;
}

}  // namespace lipizz::report
