#include "checkpoint/network_description.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "checkpoint/pytorch.hpp"
#include "nn/network/modules.hpp"

namespace lipizz::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

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

std::string name_of(int module) {
  return module == nn::Module::kInput ? "input" : std::to_string(module);
}

Json module_json(const nn::Module& module, int index) {
  Json json{{"name", name_of(index)}, {"kind", module.kind}, {"from", Json::array()}};
  for (const int source : module.from) json["from"].push_back(name_of(source));
  for (const auto& [name, value] : module.settings) {
    json[std::string(name)] = std::visit(ToJson{}, value);
  }
  json["shape"] = module.shape;
  json["tensors"] = Json::object();
  for (const nn::ParameterBlock& tensor : module.tensors) {
    if (tensor.role != nn::Role::kSingular)
      json["tensors"][pytorch_name(tensor)] = pytorch_shape(tensor);
  }
  return json;
}

}  // namespace

std::string network_description(const nn::NetworkSpec& network) {
  const std::vector<nn::Module> modules = nn::modules_of(network);
  Json list = Json::array();
  for (const nn::Module& module : modules) {
    list.push_back(module_json(module, static_cast<int>(list.size())));
  }
  const std::string sequential = pytorch_sequential(modules, network.inputs);
  return Json{{"inputs", network.inputs},
              {"pytorch", sequential.empty() ? Json(nullptr) : Json(sequential)},
              {"modules", std::move(list)}}
      .dump();
}

}  // namespace lipizz::checkpoint
