#include "report/run_configuration.hpp"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "report/json_depth.hpp"
#include "report/run_folders.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kLargest = 1 << 20;  // as config reads
constexpr std::uint64_t kMostCells = 1 << 24;

// Reads what stands at the path into `value`, which stays as it is where nothing does.
template <class T>
void read(const Json& json, const char* path, T& value) {
  const Json::json_pointer place(path);
  if (json.contains(place)) json.at(place).get_to(value);
}

std::uint32_t dimension(const Json& json) {
  const auto number = json.get<std::uint64_t>();
  if (!json.is_number_unsigned() || number == 0 || number > kMostCells) {
    throw Json::other_error::create(500, "no such grid", nullptr);
  }
  return static_cast<std::uint32_t>(number);
}

grid::Torus torus_of(const Json& json) {
  const grid::Torus torus{.rows = dimension(json.at("rows")),
                          .columns = dimension(json.at("columns"))};
  if (std::uint64_t{torus.rows} * torus.columns > kMostCells) {
    throw Json::other_error::create(500, "no such grid", nullptr);
  }
  return torus;
}

RunConfiguration configuration_of(const Json& json) {
  RunConfiguration configuration;
  configuration.torus = torus_of(json.at("grid"));
  json.at("generations").get_to(configuration.generations);
  read(json, "/name", configuration.name);
  read(json, "/seed", configuration.seed);
  read(json, "/data/dataset", configuration.dataset);
  read(json, "/score/every", configuration.score_every);
  read(json, "/score/n_samples", configuration.n_samples);
  read(json, "/score/n_samples_training", configuration.n_samples_training);
  if (json.contains("model")) {
    const Json& model = json["model"];
    configuration.model = model.is_string() ? model.get<std::string>() : model.dump();
  }
  read(json, "/recombination/kind", configuration.recombination);
  std::string mode;
  read(json, "/exchange", mode);
  configuration.is_asynchronous = mode == "async";
  return configuration;
}

}  // namespace

RunConfiguration parse_run_configuration(std::string text, std::string_view source) {
  try {
    if (is_shallow_json(text)) {
      RunConfiguration configuration = configuration_of(Json::parse(text));
      configuration.text = std::move(text);
      return configuration;
    }
  } catch (const Json::exception&) {  // told below
  }
  throw ConfigError(
      std::string(source) +
      ": expected the configuration of a run, found something else; use another copy");
}

RunConfiguration read_run_configuration(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw ConfigError("expected the folder of a run, found none at " + folder.string());
  }
  if (is_missing(file)) {
    throw ConfigError("expected the folder of a run, found no config.json in " + folder.string() +
                      "; name one that a run has made, such as runs/...");
  }
  if (is_ensemble_folder(folder)) {
    throw ConfigError("expected the folder of a run, found an ensemble of several at " +
                      folder.string());
  }
  return parse_run_configuration(read_text_file(file, "configuration", kLargest), file.string());
}

}  // namespace lipizz::report
