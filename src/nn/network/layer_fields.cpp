#include "nn/network/layer_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace lipizz::nn {
namespace {

constexpr double kMaxExtent = 65536;
constexpr double kMaxWindow = 64;
constexpr std::size_t kMaxListed = 16;

std::string shown(const FieldValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  const auto& list = std::get<std::vector<double>>(value);
  std::vector<std::string> numbers;
  for (const double number : list) numbers.push_back(number_text(number));
  return "[" + join(numbers) + "]";
}

// The text of the values that a field takes, for each type of field.
struct Expected {
  std::string range;

  std::string operator()(const LayerKind* Layer::*) const { return "a name"; }
  std::string operator()(Activation Layer::*) const { return "a name"; }
  std::string operator()(bool Layer::*) const { return "true or false"; }
  std::string operator()(float Layer::*) const { return "a number" + range; }
  std::string operator()(std::uint32_t Layer::*) const { return "a whole number" + range; }
  std::string operator()(std::uint32_t Window::*) const { return "a whole number" + range; }
  std::string operator()(std::vector<std::uint32_t> Layer::*) const {
    return "a list of 1 to " + std::to_string(kMaxListed) + " whole numbers, each" + range;
  }
};

// Puts a value into a field of a layer, one overload for each type of field.
struct Assign {
  Layer& layer;
  const LayerField& field;
  const FieldValue& value;

  void operator()(const LayerKind* Layer::*member) const {
    layer.*member = &find_layer(get<std::string>());
  }
  void operator()(Activation Layer::*member) const {
    layer.*member = find_activation(get<std::string>());
  }
  void operator()(bool Layer::*member) const { layer.*member = get<bool>(); }
  void operator()(float Layer::*member) const {
    layer.*member = static_cast<float>(in_range(get<double>()));
  }
  void operator()(std::uint32_t Layer::*member) const { layer.*member = whole(get<double>()); }
  void operator()(std::uint32_t Window::*member) const {
    layer.window.*member = whole(get<double>());
  }
  void operator()(std::vector<std::uint32_t> Layer::*member) const {
    const auto& numbers = get<std::vector<double>>();
    if (numbers.empty() || numbers.size() > kMaxListed) fail();
    (layer.*member).clear();
    for (const double number : numbers) (layer.*member).push_back(whole(number));
  }

  template <class T>
  [[nodiscard]] const T& get() const {
    if (!std::holds_alternative<T>(value)) fail();
    return std::get<T>(value);
  }
  [[nodiscard]] double in_range(double number) const {
    if (!(number >= field.lowest && number <= field.highest)) fail();
    return number;
  }
  [[nodiscard]] std::uint32_t whole(double number) const {
    if (std::trunc(in_range(number)) != number) fail();
    return static_cast<std::uint32_t>(number);
  }
  [[noreturn]] void fail() const {
    throw ConfigError("expected " + expected(field) + ", found " + shown(value));
  }
};

// Gets a value out of a field of a layer, one overload for each type of field.
struct Read {
  const Layer& layer;

  FieldValue operator()(const LayerKind* Layer::*member) const {
    return std::string((layer.*member)->name);
  }
  FieldValue operator()(Activation Layer::*member) const {
    return std::string(to_string(layer.*member));
  }
  FieldValue operator()(bool Layer::*member) const { return layer.*member; }
  FieldValue operator()(float Layer::*member) const { return shortest_number(layer.*member); }
  FieldValue operator()(std::uint32_t Layer::*member) const { return double(layer.*member); }
  FieldValue operator()(std::uint32_t Window::*member) const {
    return double(layer.window.*member);
  }
  FieldValue operator()(std::vector<std::uint32_t> Layer::*member) const {
    return std::vector<double>((layer.*member).begin(), (layer.*member).end());
  }
};

bool is_read(const LayerKind& kind, std::string_view name) {
  return name == "kind" || name == "from" ||
         std::ranges::find(kind.reads, name) != kind.reads.end();
}

void expect_read(const LayerKind& kind, std::string_view name) {
  if (is_read(kind, name)) return;
  const std::vector<std::string> read(kind.reads.begin(), kind.reads.end());
  throw ConfigError(std::string(kind.name) + " does not read it; it reads " +
                    (read.empty() ? "nothing" : join(read)));
}

}  // namespace

std::span<const LayerField> layer_fields() {
  static constexpr std::array kFields{
      LayerField{"kind", "What it does; `lipizz list layers`.", &Layer::kind},
      LayerField{"outputs", "Features, or channels of images.", &Layer::outputs, 1, kMaxExtent},
      LayerField{"activation", "What it ends with; `lipizz list activations`. Default: none.",
                 &Layer::activation},
      LayerField{"kernel", "Size of the window. Default: 1.", &Window::kernel, 1, kMaxWindow},
      LayerField{"stride", "Pixels from one window to the next. Default: 1.", &Window::stride, 1,
                 kMaxWindow},
      LayerField{"padding", "Zeros around the images. Default: 0.", &Window::padding, 0,
                 kMaxWindow},
      LayerField{"groups",
                 "Equal parts of the channels, each convolved to its share of the outputs by "
                 "itself. Default: 1.",
                 &Window::groups, 1, kMaxExtent},
      LayerField{"bias", "Whether a bias is added. Default: true.", &Layer::has_bias},
      LayerField{"spectral_norm",
                 "Whether weights are divided by their largest singular value. Default: false.",
                 &Layer::has_spectral_norm},
      LayerField{"gain", "Of Glorot's and He's initial weights. Default: 1.", &Layer::gain, 0,
                 1000},
      LayerField{"shape", "Of one sample.", &Layer::shape, 1, kMaxExtent},
      LayerField{"from",
                 "Whose results it takes: 0 is the network's input, i the i-th layer. Default: the "
                 "layer before.",
                 &Layer::from, 0, kMaxExtent},
      LayerField{"rate", "The share of values that dropout makes zero.", &Layer::rate, 0, 0.99},
      LayerField{"offset", "The first of the channels taken. Default: 0.", &Layer::offset, 0,
                 kMaxExtent},
  };
  return kFields;
}

std::string expected(const LayerField& field) {
  return std::visit(
      Expected{" from " + number_text(field.lowest) + " to " + number_text(field.highest)},
      field.member);
}

void set_field(Layer& layer, std::string_view name, const FieldValue& value,
               const std::string& where) {
  try {
    const LayerField& field = find_row(layer_fields(), &LayerField::name, name, "field");
    expect_read(*layer.kind, name);
    std::visit(Assign{layer, field, value}, field.member);
  } catch (const ConfigError& error) {
    throw ConfigError(where + "." + std::string(name) + ": " + error.what());
  }
}

std::vector<DescribedField> described_fields(const Layer& layer) {
  std::vector<DescribedField> fields;
  for (const LayerField& field : layer_fields()) {
    if (!is_read(*layer.kind, field.name)) continue;
    FieldValue value = std::visit(Read{layer}, field.member);
    const auto* const list = std::get_if<std::vector<double>>(&value);
    if (list && list->empty()) continue;
    fields.emplace_back(field.name, std::move(value));
  }
  return fields;
}

}  // namespace lipizz::nn
