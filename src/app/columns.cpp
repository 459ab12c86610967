#include "app/columns.hpp"

#include <algorithm>
#include <cstddef>

namespace lipizz::app {

std::string columns(std::span<const setup::Entry> entries, const std::string& indent) {
  std::size_t width = 0;
  for (const setup::Entry& entry : entries) width = std::max(width, entry.name.size() + 2);
  std::string text;
  for (const setup::Entry& entry : entries) {
    const std::string gap(width - entry.name.size(), ' ');
    text += indent + entry.name + (entry.summary.empty() ? "" : gap + entry.summary) + "\n";
  }
  return text;
}

}  // namespace lipizz::app
