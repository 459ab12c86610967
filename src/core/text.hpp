#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz {

/// The number of single-character insertions, deletions and replacements from `a` to `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` by edit distance (the first one among equals); empty when there
/// is no candidate.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// The end of an error message about an unknown `word`: `; did you mean "nearest"?`, or all
/// candidates where there are few and none is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// `a, b, c`
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

}  // namespace lipizz
