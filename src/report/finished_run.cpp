#include "report/finished_run.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "checkpoint/source_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kLargestResult = 256 << 20;  // of a million cells

double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

grid::Torus torus_of(const Json& json) {
  const grid::Torus torus{.rows = json.at("rows").get<std::uint32_t>(),
                          .columns = json.at("columns").get<std::uint32_t>()};
  const std::uint64_t n_cells = std::uint64_t{torus.rows} * torus.columns;
  if (n_cells == 0 || n_cells > 1 << 24) {
    throw Json::other_error::create(500, "no such grid", nullptr);
  }
  return torus;
}

std::string size_text(const grid::Torus& torus) {
  return std::to_string(torus.rows) + "x" + std::to_string(torus.columns);
}

CellId cell_of(const Json& json, const grid::Torus& torus) {
  const auto row = json.at("row").get<std::uint32_t>();
  const auto column = json.at("col").get<std::uint32_t>();
  if (row >= torus.rows || column >= torus.columns) {
    throw Json::other_error::create(500, "no such cell", nullptr);
  }
  return torus.cell(row, column);
}

FinishedRun::Score score_of(const Json& json) {
  return {.metric = printable(json.at("metric").get<std::string>()),
          .judge = printable(json.at("judge").get<std::string>()),
          .value = number(json.at("value")),
          .floor = number(json.at("floor")),
          .n_samples = json.at("n_samples").get<std::uint32_t>()};
}

std::optional<FinishedRun::Best> best_of(const Json& score, const grid::Torus& torus) {
  const auto found = score.find("best");
  if (found == score.end() || found->is_null()) return std::nullopt;
  return FinishedRun::Best{.value = number(found->at("value")),
                           .n_samples = found->at("n_samples").get<std::uint32_t>(),
                           .generation = found->at("generation").get<Generation>(),
                           .cell = cell_of(*found, torus),
                           .has_mixture = !found->at("mixture").is_null()};
}

FinishedRun run_of(const fs::path& folder, const Json& json) {
  const Json& experiment = json.at("experiment");
  const Json& model = experiment.at("model");
  const grid::Torus torus = torus_of(json.at("grid"));
  return {.folder = folder,
          .name = experiment.at("name").get<std::string>(),
          .dataset = experiment.at("dataset").get<std::string>(),
          .model = model.is_string() ? model.get<std::string>() : model.dump(),
          .seed = experiment.at("seed").get<std::uint64_t>(),
          .configuration = experiment.at("configuration").get<std::string>(),
          .fingerprint = json.at("fingerprint").get<std::string>(),
          .numerics = json.at("numerics").get<std::string>(),
          .torus = torus,
          .generations = json.at("generations").get<Generation>(),
          .best_cell = cell_of(json.at("best_cell"), torus),
          .score = score_of(json.at("score")),
          .best = best_of(json.at("score"), torus),
          .training_s = number(json.at("times").at("training_s")),
          .from_generation = json.at("times").at("from_generation").get<Generation>()};
}

}  // namespace

std::optional<FinishedRun> read_finished_run(const fs::path& folder, const grid::Torus& torus) {
  auto run = read_finished_run(folder);
  if (run && run->torus != torus) {
    throw CheckpointError((folder / "result.json").string() + ": expected the result of a " +
                          size_text(torus) + " grid, as config.json has it, found one of a " +
                          size_text(run->torus) + " grid; these are of two runs");
  }
  return run;
}

std::optional<FinishedRun> read_finished_run(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw ConfigError("expected the folder of a run, found none at " + folder.string());
  }
  const fs::path file = folder / "result.json";
  if (is_missing(file)) return std::nullopt;
  const checkpoint::SourceFile source(file);
  const Bytes bytes = source.first(kLargestResult + 1);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    if (bytes.size() <= kLargestResult) {
      return run_of(folder, Json::parse(text, text + bytes.size()));
    }
  } catch (const Json::exception&) {  // told below
  }
  throw CheckpointError(file.string() + ": expected the result of a run, found something else; " +
                        "move it away, and resume the run to have it written again");
}

}  // namespace lipizz::report
