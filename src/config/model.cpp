#include "config/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::config {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxLayers = 1000;
constexpr std::size_t kMaxFields = 32;  // of one layer
constexpr std::size_t kMaxListed = 64;
constexpr double kMaxDimension = 65536;
// Beyond, a double is no longer every whole number.
constexpr double kMaxExact = 9007199254740992;

[[noreturn]] void fail(const std::string& where, const std::string& expected, const Json& found) {
  throw ConfigError(where + ": expected " + expected + ", found " +
                    shortened(found.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

// The members, each of which must have one of these names.
const Json& object(const Json& value, const std::vector<std::string>& keys,
                   const std::string& where) {
  if (!value.is_object()) fail(where, "an object", value);
  for (const auto& [key, ignored] : value.items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    throw ConfigError(where + ": there is no \"" + shortened(key) + "\"" + suggestion(key, keys));
  }
  return value;
}

const Json& member(const Json& value, const std::string& key, const std::string& where) {
  const auto found = value.find(key);
  if (found == value.end()) throw ConfigError(where + ": expected " + key + ", found none");
  return *found;
}

std::vector<std::uint32_t> parse_inputs(const Json& value, const std::string& where) {
  const auto is_dimension = [](const Json& dimension) {
    return dimension.is_number_unsigned() && dimension.get<double>() >= 1 &&
           dimension.get<double>() <= kMaxDimension;
  };
  const std::string expected =
      "a list of 1 to 3 whole numbers from 1 to " + number_text(kMaxDimension);
  if (!value.is_array() || value.empty() || value.size() > 3) fail(where, expected, value);
  if (!std::ranges::all_of(value, is_dimension)) fail(where, expected, value);
  return value.get<std::vector<std::uint32_t>>();
}

LayerValue parse_value(const Json& value, const std::string& where) {
  const auto is_number = [](const Json& number) {
    return number.is_number() && std::abs(number.get<double>()) <= kMaxExact;
  };
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  if (is_number(value)) return value.get<double>();
  if (value.is_array() && value.size() <= kMaxListed && std::ranges::all_of(value, is_number)) {
    return value.get<std::vector<double>>();
  }
  fail(where, "true, false, a number, a name or a list of numbers", value);
}

Layer parse_layer(const Json& value, const std::string& where) {
  if (!value.is_object() || value.size() > kMaxFields) fail(where, "an object", value);
  Layer layer;
  for (const auto& [key, field] : value.items()) {
    layer.emplace_back(key, parse_value(field, where + "." + key));
  }
  return layer;
}

std::vector<Layer> parse_layers(const Json& value, const std::string& where) {
  if (!value.is_array() || value.empty() || value.size() > kMaxLayers) {
    fail(where, "a list of 1 to " + std::to_string(kMaxLayers) + " layers", value);
  }
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < value.size(); ++i) {
    layers.push_back(parse_layer(value[i], where + "[" + std::to_string(i) + "]"));
  }
  return layers;
}

Network parse_network(const Json& value, const std::string& where) {
  object(value, {"inputs", "initialiser", "layers"}, where);
  Network network;
  network.inputs = parse_inputs(member(value, "inputs", where), where + ".inputs");
  if (const auto given = value.find("initialiser"); given != value.end()) {
    if (!given->is_string()) fail(where + ".initialiser", "a name", *given);
    network.initialiser = given->get<std::string>();
  }
  network.layers = parse_layers(member(value, "layers", where), where + ".layers");
  return network;
}

// As it was written: 256, not 256.0.
Json number_json(double number) {
  if (std::trunc(number) != number) return number;
  return static_cast<std::int64_t>(number);
}

struct ToJson {
  Json operator()(bool value) const { return value; }
  Json operator()(double value) const { return number_json(value); }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const std::vector<double>& values) const {
    Json list = Json::array();
    for (const double value : values) list.push_back(number_json(value));
    return list;
  }
};

Json network_json(const Network& network) {
  Json layers = Json::array();
  for (const Layer& layer : network.layers) {
    Json written = Json::object();
    for (const auto& [key, value] : layer) written[key] = std::visit(ToJson{}, value);
    layers.push_back(std::move(written));
  }
  return {{"inputs", network.inputs}, {"initialiser", network.initialiser}, {"layers", layers}};
}

}  // namespace

Model parse_model(std::string_view json, const std::string& where) {
  const Json value = Json::parse(json);
  object(value, {"generator", "discriminator"}, where);
  Model model;
  model.name.clear();
  model.generator = parse_network(member(value, "generator", where), where + ".generator");
  model.discriminator =
      parse_network(member(value, "discriminator", where), where + ".discriminator");
  return model;
}

std::string model_text(const Model& model) {
  if (!model.is_written_out()) return Json(model.name).dump();
  return Json{{"generator", network_json(model.generator)},
              {"discriminator", network_json(model.discriminator)}}
      .dump();
}

}  // namespace lipizz::config
