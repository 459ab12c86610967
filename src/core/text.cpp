#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/synonyms.hpp"

namespace lipizz {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const auto best = std::ranges::min_element(
      candidates, {}, [&](const std::string& candidate) { return edit_distance(word, candidate); });
  return best == candidates.end() ? std::string() : *best;
}

std::string did_you_mean(std::string_view what) {
  return "; did you mean \"" + std::string(what) + "\"?";
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string ours = our_word_for(word);
  if (std::ranges::find(candidates, ours) != candidates.end()) return did_you_mean(ours);
  const std::string best = nearest(word, candidates);
  if (best.empty()) return {};
  const bool is_near = edit_distance(word, best) <= std::max<std::size_t>(2, word.size() / 3);
  if (!is_near && candidates.size() <= 12) return "; there are " + join(candidates);
  return did_you_mean(best);
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += separator;
    joined += word;
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
  return std::string(text.substr(0, kMaxShown)) + "...";
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
