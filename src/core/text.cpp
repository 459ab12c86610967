#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/synonyms.hpp"

namespace lipizz {

namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

// Its beginning, or half of its letters and more, in their order.
bool is_abbreviation(std::string_view word, std::string_view whole) {
  constexpr std::size_t kShortest = 3;
  if (word.size() < kShortest) return false;
  if (whole.starts_with(word)) return true;
  std::size_t n_found = 0;
  for (const char c : whole) {
    if (n_found < word.size() && word[n_found] == c) ++n_found;
  }
  return n_found == word.size() && 2 * word.size() >= whole.size();
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::size_t> slip_distance(std::string_view word, std::string_view candidate) {
  const std::size_t n_wrong_at_most = std::max<std::size_t>(1, (word.size() + 1) / 3);
  // No slip has so many letters more, however long a text is typed for a name.
  if (word.empty() || word.size() > 2 * candidate.size() + 2) return std::nullopt;
  const std::string typed = in_lower_case(word);
  const std::string known = in_lower_case(candidate);
  const std::size_t distance = edit_distance(typed, known);
  const bool is_slip = distance <= n_wrong_at_most && distance < typed.size();
  if (is_slip || is_abbreviation(typed, known)) return distance;
  return std::nullopt;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::optional<std::size_t> smallest;
  for (const std::string& candidate : candidates) {
    const auto distance = slip_distance(word, candidate);
    if (!distance || (smallest && *smallest <= *distance)) continue;
    smallest = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view what) {
  return "; did you mean \"" + std::string(what) + "\"?";
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kFew = 12;
  const std::string ours = our_word_for(word);
  if (std::ranges::find(candidates, ours) != candidates.end()) return did_you_mean(ours);
  const std::string best = nearest(word, candidates);
  if (!best.empty()) return did_you_mean(best);
  if (candidates.empty() || candidates.size() > kFew) return {};
  return "; there are " + join(candidates);
}

std::string with_hint(std::string message, std::string_view hint) {
  message += message.ends_with('?') ? " " : "; ";
  return message += hint;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return std::to_string(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += separator;
    joined += words[i];
  }
  return joined;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMaxShown = 60;
  if (text.size() <= kMaxShown) return std::string(text);
  std::size_t n_shown = kMaxShown;
  const auto is_inside_a_character = [&] {
    return (static_cast<unsigned char>(text[n_shown]) & 0xC0U) == 0x80U;
  };
  while (n_shown > kMaxShown - 3 && is_inside_a_character()) --n_shown;
  return std::string(text.substr(0, n_shown)) + "...";
}

std::string printable(std::string text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_c1 =
        byte(i) == 0xC2 && i + 1 < text.size() && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0;
    if (is_c1) text.erase(i + 1, 1);
    if (is_c1 || byte(i) < ' ' || byte(i) == 0x7F) text[i] = '?';
  }
  return text;
}

std::string number_text(double number) {
  std::ostringstream text;
  text.precision(std::trunc(number) == number ? 16 : 6);
  text << number;
  return text.str();
}

double shortest_number(float number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  double value = 0;
  std::from_chars(text.data(), end, value);
  return value;
}

}  // namespace lipizz
