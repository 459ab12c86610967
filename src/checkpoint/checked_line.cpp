#include "checkpoint/checked_line.hpp"

#include "core/check.hpp"
#include "core/hash.hpp"

namespace lipizz::checkpoint {
namespace {

std::string check_of(std::string_view text) {
  Hasher hasher;
  hasher.text(text);
  return ",\"check\":\"" + to_hex(hasher.digest()) + "\"}";
}

}  // namespace

std::string checked_line(std::string_view object) {
  LIPIZZ_ASSERT(object.size() > 2 && object.front() == '{' && object.back() == '}');
  const std::string_view text = object.substr(0, object.size() - 1);
  return std::string(text) + check_of(text);
}

bool is_whole(std::string_view line) {
  const std::size_t comma = line.rfind(',');
  return comma != std::string_view::npos && line.substr(comma) == check_of(line.substr(0, comma));
}

}  // namespace lipizz::checkpoint
