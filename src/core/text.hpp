#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace lipizz {

/// The number of single-character insertions, deletions, replacements and swaps of two neighbours
/// from `a` to `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// How far `word` is from `candidate` where it may have been meant as that: a slip (about a third
/// of its letters are wrong at most), other case, or an abbreviation. Nothing where it may not.
std::optional<std::size_t> slip_distance(std::string_view word, std::string_view candidate);

/// The candidate of the smallest slip_distance() from `word`, the first one among equals; empty
/// when there is none.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// The end of an error message: `; did you mean "this"?`
std::string did_you_mean(std::string_view what);

/// The end of an error message about an unknown `word`: did_you_mean() what it means in our words
/// (core/synonyms.hpp), or the nearest; all candidates where there are few and none is near, and
/// nothing where they are many.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// A message with what else there is to say, behind `; ` or, where it ends with a question, behind
/// that.
std::string with_hint(std::string message, std::string_view hint);

/// `1 cell`, `2 cells`
std::string counted(std::uint64_t n, std::string_view noun);

/// `a, b, c`
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// The parts between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

/// Adds `more` at the end.
void append(std::vector<std::string>& words, const std::vector<std::string>& more);

/// The beginning of a text of any length, as much of it as a message shows.
std::string shortened(std::string_view text);

/// With `?` in place of control characters, of ASCII or of C1 in UTF-8: they could steer a
/// terminal.
std::string printable(std::string text);

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
