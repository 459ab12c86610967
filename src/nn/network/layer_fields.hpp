#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nn/network/network.hpp"

namespace lipizz::nn {

/// The value of a layer's field in a configuration.
using FieldValue = std::variant<bool, double, std::string, std::vector<double>>;

/// One field of Layer: what it is called in a configuration, where it lies, and its range.
struct LayerField {
  using Member = std::variant<const LayerKind * Layer::*, Activation Layer::*, bool Layer::*,
                              float Layer::*, std::uint32_t Layer::*, std::uint32_t Window::*,
                              std::vector<std::uint32_t> Layer::*>;
  std::string_view name;
  std::string_view summary;
  Member member;
  double lowest = 0;  // of numbers, and of each number of a list; both ends allowed
  double highest = 0;
};

/// Every field there is.
std::span<const LayerField> layer_fields();

/// `a whole number from 1 to 64`: what the field takes.
std::string expected(const LayerField& field);

/// Puts a value into the field `name` of a layer whose kind is set. ConfigError beginning with
/// `where` when there is no such field, the kind does not read it, or the value is none for it.
void set_field(Layer& layer, std::string_view name, const FieldValue& value,
               const std::string& where);

/// A field's name and value.
using DescribedField = std::pair<std::string_view, FieldValue>;

/// The fields and values by which set_field() makes this layer from an empty one, in the order of
/// the table: its kind, and the fields that it reads, defaults too, but for lists that are empty.
std::vector<DescribedField> described_fields(const Layer& layer);

}  // namespace lipizz::nn
