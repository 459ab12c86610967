#include "nn/graph/convolution_table.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/table.hpp"
#include "core/text_file.hpp"
#include "nn/graph/committed_convolutions.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t kMaxFileBytes = 1U << 20;
// That of factors at the level.
std::string_view precision_of(NumericsLevel level) {
  return has_bf16(level) ? "bf16" : "f32";
}
constexpr std::array kOperations{&kConvolution, &kTransposedConvolution,
                                 &kConvolutionWeightGradient};

std::string_view to_string(ConvolutionAlgorithm algorithm) {
  return std::ranges::find(kConvolutionAlgorithms, algorithm, &NamedAlgorithm::algorithm)->name;
}

std::string key_of(const NamedAlgorithm& algorithm) {
  return std::string(algorithm.name) + "_us";
}

// One row of a file, whose keys are all to be read.
class Row {
 public:
  explicit Row(const Json& json) : json_(json) {
    if (!json.is_object()) fail("row", "an object");
  }

  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) fail(key, "a text");
    return value.get<std::string>();
  }
  std::uint32_t number(const char* key) { return number_of(at(key), key); }
  std::uint32_t number_or(std::uint32_t usual, const char* key) {
    return json_.contains(key) ? number(key) : usual;
  }
  Shape images(const char* key) {
    const Json& value = at(key);
    if (!value.is_array() || value.size() != 4) fail(key, "[N, H, W, C]");
    Shape shape;
    for (const Json& dimension : value) shape.push_back(number_of(dimension, key));
    return shape;
  }
  void expect_end() const {
    if (n_read_ != json_.size()) fail("keys", "those of a row and no others");
  }
  [[noreturn]] void fail(std::string_view what, std::string_view expected) const {
    throw ConfigError(std::string(what) + ": expected " + std::string(expected) + ", found " +
                      json_.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, kShown));
  }

 private:
  const Json& at(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(key, "a value");
    ++n_read_;
    return *found;
  }
  std::uint32_t number_of(const Json& value, const char* key) const {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX;
    if (!fits) fail(key, "a whole number");
    return value.get<std::uint32_t>();
  }

  static constexpr std::size_t kShown = 200;
  const Json& json_;
  std::size_t n_read_ = 0;
};

ConvolutionCase case_of(Row& row) {
  ConvolutionCase found;
  found.operation = find_row(
                        kOperations, [](const Operation* o) { return o->name; },
                        row.text("operation"), "convolution")
                        ->name;
  found.shape = {row.images("x"),
                 row.images("y"),
                 {row.number("kernel"), row.number("stride"), row.number("padding"),
                  row.number_or(1, "groups")}};
  found.level = parse_numerics_level(row.text("numerics"));
  if (found.level == NumericsLevel::kAmx)
    row.fail("numerics", "a level of convolutions, at most avx512_bf16");
  const std::string_view precision = precision_of(found.level);
  if (row.text("precision") != precision) row.fail("precision", precision);
  return found;
}

ConvolutionChoice choice_of(Row& row) {
  const ConvolutionAlgorithm algorithm =
      find_row(kConvolutionAlgorithms, &NamedAlgorithm::name, row.text("algorithm"), "algorithm")
          .algorithm;
  ConvolutionChoice choice{algorithm};
  for (std::size_t i = 0; i < kConvolutionAlgorithms.size(); ++i) {
    choice.microseconds[i] = row.number_or(0, key_of(kConvolutionAlgorithms[i]).c_str());
  }
  return choice;
}

Json to_row(const ConvolutionCase& decided, const ConvolutionChoice& choice) {
  const auto& [x, y, window] = decided.shape;
  Json row{{"operation", decided.operation},
           {"x", x},
           {"y", y},
           {"kernel", window.kernel},
           {"stride", window.stride},
           {"padding", window.padding}};
  if (window.groups > 1) row["groups"] = window.groups;
  row["precision"] = precision_of(decided.level);
  row["numerics"] = to_string(decided.level);
  row["algorithm"] = to_string(choice.algorithm);
  for (std::size_t i = 0; i < kConvolutionAlgorithms.size(); ++i) {
    if (choice.microseconds[i] > 0) row[key_of(kConvolutionAlgorithms[i])] = choice.microseconds[i];
  }
  return row;
}

}  // namespace

ConvolutionCase case_of(const Graph& graph, ValueId convolution, NumericsLevel level) {
  return {std::string(graph.node(convolution).operation->name),
          convolution_shape(graph, convolution), level};
}

const ConvolutionTable& ConvolutionTable::committed() {
  static const ConvolutionTable kTable =
      parse(kCommittedConvolutions, "nn/graph/convolutions.json");
  return kTable;
}

ConvolutionTable ConvolutionTable::parse(std::string_view text, std::string_view source) {
  const Json rows = Json::parse(text, nullptr, false);
  if (!rows.is_array()) {
    throw ConfigError(std::string(source) + ": expected a table of convolutions, a list in JSON");
  }
  ConvolutionTable table;
  for (const Json& json : rows) {
    try {
      Row row(json);
      const ConvolutionCase decided = case_of(row);
      if (!table.choices_.emplace(decided, choice_of(row)).second) {
        row.fail("row", "one that no other row has the case of");
      }
      row.expect_end();
    } catch (const ConfigError& error) {
      throw ConfigError(std::string(source) + ", row " + std::to_string(table.choices_.size() + 1) +
                        ": " + error.what());
    }
  }
  return table;
}

ConvolutionTable ConvolutionTable::read(const std::filesystem::path& file) {
  return parse(read_text_file(file, "convolution table", kMaxFileBytes), file.string());
}

std::optional<ConvolutionAlgorithm> ConvolutionTable::find(const ConvolutionCase& wanted) const {
  const auto found = choices_.find(wanted);
  if (found == choices_.end()) return std::nullopt;
  return found->second.algorithm;
}

void ConvolutionTable::set(const ConvolutionCase& decided, const ConvolutionChoice& choice) {
  choices_[decided] = choice;
}

std::string ConvolutionTable::to_json() const {
  std::string text;
  for (const auto& [decided, choice] : choices_) {
    text += (text.empty() ? "[\n" : ",\n") + to_row(decided, choice).dump();
  }
  return (text.empty() ? "[" : text) + "\n]\n";
}

std::uint64_t ConvolutionTable::hash() const {
  ConvolutionTable without_figures;
  for (const auto& [decided, choice] : choices_) without_figures.set(decided, {choice.algorithm});
  Hasher hasher;
  hasher.text(without_figures.to_json());
  return hasher.digest();
}

}  // namespace lipizz::nn
