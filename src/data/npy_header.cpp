#include "data/npy_header.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/text.hpp"
#include "data/array_layout.hpp"

namespace lipizz::data {
namespace {

/// The little of Python that a header is written in. Each function takes one thing off the front of
/// the text and returns false, or nothing, where another thing stands.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  bool skip(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool is_at_end() {
    skip_blanks();
    return rest_.empty();
  }

  /// A string without escapes, in quotes of either kind.
  std::optional<std::string> string() {
    for (const char quote : {'\'', '"'}) {
      if (!skip({&quote, 1})) continue;
      const std::size_t end = rest_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      std::string text(rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
      if (text.find('\\') != std::string::npos) return std::nullopt;
      return text;
    }
    return std::nullopt;
  }

  std::optional<bool> boolean() {
    if (skip("True")) return true;
    if (skip("False")) return false;
    return std::nullopt;
  }

  std::optional<std::uint64_t> number() {
    skip_blanks();
    const auto end = std::ranges::find_if(rest_, [](char c) { return c < '0' || c > '9'; });
    const std::string_view digits = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(digits.size());
    return parse_number<std::uint64_t>(digits);
  }

  /// `()`, `(3,)`, `(3, 4)`, `(3, 4,)`
  std::optional<std::vector<std::uint64_t>> tuple() {
    std::vector<std::uint64_t> sizes;
    if (!skip("(")) return std::nullopt;
    while (!skip(")")) {
      const auto size = number();
      if (!size) return std::nullopt;
      sizes.push_back(*size);
      if (skip(",")) continue;
      if (sizes.size() == 1 || !skip(")")) return std::nullopt;
      break;
    }
    return sizes;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
};

template <class Value>
bool take(std::optional<Value> found, std::optional<Value>& place) {
  if (!found || place) return false;
  place = std::move(found);
  return true;
}

}  // namespace

std::optional<NpyHeader> parse_npy_header(std::string_view text) {
  Literal literal(text);
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
  if (!literal.skip("{")) return std::nullopt;
  while (!literal.skip("}")) {
    const auto key = literal.string();
    if (!key || !literal.skip(":")) return std::nullopt;
    const bool is_taken = *key == "descr"           ? take(literal.string(), descr)
                          : *key == "fortran_order" ? take(literal.boolean(), fortran_order)
                          : *key == "shape"         ? take(literal.tuple(), shape)
                                                    : false;
    if (!is_taken) return std::nullopt;
    if (literal.skip(",")) continue;
    if (!literal.skip("}")) return std::nullopt;
    break;
  }
  if (!literal.is_at_end() || !descr || !fortran_order || !shape) return std::nullopt;
  return NpyHeader{*descr, *fortran_order, *shape};
}

std::string npy_preamble(const NpyHeader& header) {
  constexpr std::size_t kBeforeText = 10;    // magic, version, 16 bits of length
  constexpr std::size_t kDigitsOfRows = 21;  // numpy leaves room for more rows
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': '" + header.descr +
                     "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': " + shape_text(header.shape) + ", }";
  text.append(kDigitsOfRows - std::to_string(header.shape.front()).size(), ' ');
  const std::size_t n_used = (kBeforeText + text.size() + 1) % kAlignment;
  text.append(kAlignment - n_used, ' ');
  text += '\n';
  LIPIZZ_ASSERT(text.size() < 1U << 16);
  const std::size_t n = text.size();
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(n & 0xffU) +
         static_cast<char>(n >> 8) + text;
}

}  // namespace lipizz::data
