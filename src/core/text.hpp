#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace lipizz {

/// The number of single-character insertions, deletions and replacements from `a` to `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` by edit distance (the first one among equals); empty when there
/// is no candidate.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// The end of an error message: `; did you mean "this"?`
std::string did_you_mean(std::string_view what);

/// The end of an error message about an unknown `word`: did_you_mean() the nearest, be it by
/// meaning (core/synonyms.hpp) or by spelling, or all candidates where there are few and none is
/// near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// `a, b, c`
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// The parts between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

/// Adds `more` at the end.
void append(std::vector<std::string>& words, const std::vector<std::string>& more);

/// The beginning of a text of any length, as much of it as a message shows.
std::string shortened(std::string_view text);

/// 0.5, 1000000 or 1e-08: without decimals where there are none.
std::string number_text(double number);

/// 0.3 for 0.3f, not 0.30000001192092896: the number that people write for this float.
double shortest_number(float number);

/// The number that the whole text is; nothing when it is none, does not fit, or something follows.
/// `base` is for whole numbers.
template <class Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number number{};
  const char* const end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_integral_v<Number>) {
    result = std::from_chars(text.data(), end, number, base);
  } else {
    result = std::from_chars(text.data(), end, number);
  }
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

}  // namespace lipizz
