#pragma once

#include <string>
#include <string_view>

namespace lipizz::checkpoint {

/// A line of JSON that can be told from a damaged one, for files that grow line by line: the last
/// key of its object is `check`, 16 hexadecimal digits, core/hash.hpp's hash of all that stands in
/// front of the comma before that key.
///
///     {"generation":1,"cell":0,"check":"8f8d9aa5c7630180"}

/// The line with its checksum. `object` is an object in JSON with at least one key, without a line
/// break, as nlohmann's dump() writes it.
std::string checked_line(std::string_view object);

/// True when the line, without its line break, is one that checked_line() has made.
bool is_whole(std::string_view line);

}  // namespace lipizz::checkpoint
