#pragma once

#include <cstddef>
#include <string_view>

namespace lipizz::report {

/// True when lists and objects stand at most `depth` deep in one another, which keeps recursive
/// readers within their stack. Says nothing about whether the text is JSON otherwise.
bool is_shallow_json(std::string_view text, std::size_t depth = 32);

}  // namespace lipizz::report
