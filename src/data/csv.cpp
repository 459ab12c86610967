#include "data/csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "data/opened_file.hpp"

namespace lipizz::data {
namespace {

constexpr std::size_t kMostColumns = 4096;
constexpr std::size_t kMostLineBytes = 1U << 17;
constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the next line off the front, without its end.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return trimmed(line);
}

/// The separator of a line; a blank stands for any number of them.
char separator_of(std::string_view line) {
  for (const char separator : {';', ','}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return ' ';
}

/// Calls `take(field)` for each field of a line that is trimmed and not empty.
template <class Take>
void for_each_field(std::string_view line, char separator, const Take& take) {
  const std::string_view separators = separator == ' ' ? kBlanks : std::string_view(&separator, 1);
  for (std::size_t begin = 0; begin != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(separators, begin);
    take(trimmed(line.substr(begin, end - begin)));
    begin = end == std::string_view::npos ? end
            : separator == ' '            ? line.find_first_not_of(kBlanks, end)
                                          : end + 1;
  }
}

/// The beginning of a field as a message shows it, in one line.
std::string shown(std::string_view field) {
  std::string text = shortened(field);
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, '?');
  return text;
}

/// A number, finite or not.
std::optional<double> number_in(std::string_view field) {
  const bool has_plus = field.size() > 1 && field[0] == '+' && field[1] != '-';
  return parse_number<double>(field.substr(has_plus ? 1 : 0));
}

class CsvParser {
 public:
  CsvParser(std::string_view text, const std::filesystem::path& path) : rest_(text), path_(path) {}

  PointTable parse() {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
    bool may_be_header = true;
    while (!rest_.empty()) {
      const std::string_view line = next_line(rest_);
      ++n_lines_;
      if (line.size() > kMostLineBytes) {
        fail("expected at most " + std::to_string(kMostLineBytes) + " characters, found " +
             std::to_string(line.size()));
      }
      if (line.empty() || line.front() == '#') continue;
      if (!may_be_header || !is_header(line)) take(line);
      may_be_header = false;
    }
    if (table_.values.empty()) {
      throw DataError(path_.string() + ": expected lines of numbers, found none");
    }
    return std::move(table_);
  }

 private:
  static bool is_header(std::string_view line) {
    bool has_number = false;
    for_each_field(line, separator_of(line), [&](std::string_view field) {
      has_number = has_number || number_in(field).has_value();
    });
    return !has_number;
  }

  void take(std::string_view line) {
    const std::size_t n_before = table_.values.size();
    if (first_line_ == 0) separator_ = separator_of(line);
    for_each_field(line, separator_, [&](std::string_view field) { take_field(field); });
    const std::size_t n_found = table_.values.size() - n_before;
    if (n_found > kMostColumns) {
      fail("expected at most " + std::to_string(kMostColumns) + " numbers, found " +
           std::to_string(n_found));
    }
    if (first_line_ == 0) {
      first_line_ = n_lines_;
      table_.n_columns = static_cast<std::uint32_t>(n_found);
    }
    if (n_found == table_.n_columns) return;
    fail("expected " + counted(table_.n_columns, "number") + ", as in line " +
         std::to_string(first_line_) + ", found " + std::to_string(n_found));
  }

  void take_field(std::string_view field) {
    const std::optional<double> number = number_in(field);
    const float value = static_cast<float>(number.value_or(0));
    if (number && std::isfinite(value)) return table_.values.push_back(value);
    fail(std::string("expected a ") + (number ? "finite number of single precision" : "number") +
         ", found \"" + shown(field) + "\"" +
         (field.find(',') != std::string_view::npos ? "; decimals are written with a point" : ""));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(path_.string() + ":" + std::to_string(n_lines_) + ": " + what);
  }

  std::string_view rest_;
  std::filesystem::path path_;
  std::uint64_t n_lines_ = 0;
  std::uint64_t first_line_ = 0;  // of numbers; 0 before it
  char separator_ = ' ';
  PointTable table_;
};

}  // namespace

PointTable parse_csv(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  return CsvParser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path).parse();
}

PointTable read_csv(const std::filesystem::path& path, std::uint64_t n_most_bytes) {
  return parse_csv(OpenedFile(path).content(n_most_bytes), path);
}

}  // namespace lipizz::data
