#include "worker/sample_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "checkpoint/atomic_file.hpp"
#include "checkpoint/weights.hpp"
#include "config/model.hpp"
#include "core/error.hpp"
#include "data/png.hpp"
#include "data/sheet.hpp"
#include "setup/model.hpp"
#include "setup/settings.hpp"

namespace lipizz::worker {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPointsOfAPicture = 2000;

void write_text(const std::filesystem::path& path, const std::string& text) {
  checkpoint::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

// On another node than the master's the folder may be new.
void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw CheckpointError("cannot make the folder " + folder.string() + ": " + failure.message());
  }
}

}  // namespace

SampleWriter::SampleWriter(coev::Island& island, const data::Dataset& dataset,
                           const config::Experiment& experiment, std::filesystem::path output_dir)
    : island_(island),
      dataset_(dataset),
      experiment_(experiment),
      torus_(setup::torus_of(experiment)),
      output_dir_(std::move(output_dir)) {}

std::uint32_t SampleWriter::n_samples(std::uint32_t rows, std::uint32_t columns) const {
  return dataset_.kind() == data::SampleKind::kPoint ? kPointsOfAPicture : rows * columns;
}

void SampleWriter::keep_if_improved(const coev::CellReport& report) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  auto& [best_score, last] =
      improvements_.try_emplace(report.cell, Improvements{kNone, {}}).first->second;
  if (!(report.score < best_score)) return;
  best_score = report.score;
  if (last.size() == kKeptImprovements) last.pop_front();
  const auto& [rows, columns, cell_rows, cell_columns] = experiment_.samples;
  last.push_back(
      {report.generation, island_.sample_mixture(report.cell, n_samples(rows, columns))});
}

std::string SampleWriter::write_improved(CellId cell, Generation generation) const {
  const auto improvements = improvements_.find(cell);
  if (improvements == improvements_.end()) return {};
  const auto& last = improvements->second.last;
  const auto kept = std::ranges::find(last, generation, &Kept::generation);
  if (kept == last.end()) return {};
  const std::string name = fmt::format("samples/best-gen{:03}.png", generation);
  write_sheet(name, kept->samples);
  return name;
}

comm::CellSamples SampleWriter::samples_for_grid(CellId cell) {
  const std::uint32_t n =
      n_samples(experiment_.samples.cell_rows, experiment_.samples.cell_columns);
  return {cell, island_.sample_mixture(cell, n)};
}

void SampleWriter::write_final(CellId best, const std::vector<comm::CellSamples>& all) {
  write_grid(all);
  const std::uint32_t n = n_samples(experiment_.samples.rows, experiment_.samples.columns);
  write_sheet("samples/best.png", island_.sample_mixture(best, n));
  write_mixture(best);
}

void SampleWriter::write_sheet(const std::string& name, std::span<const float> samples) const {
  make_folder(output_dir_ / "samples");
  data::write_png(output_dir_ / name,
                  data::sample_sheet(dataset_, samples, experiment_.samples.columns));
}

void SampleWriter::write_grid(const std::vector<comm::CellSamples>& all) const {
  std::map<CellId, const comm::CellSamples*> by_cell;
  for (const comm::CellSamples& each : all) by_cell[each.cell] = &each;
  std::vector<data::Image> images;
  for (const auto& [cell, each] : by_cell) {
    images.push_back(data::sample_sheet(dataset_, each->samples, experiment_.samples.cell_columns));
  }
  if (images.size() != torus_.cells()) {
    throw InternalError("the picture of the grid lacks cells");
  }
  make_folder(output_dir_ / "samples");
  data::write_png(output_dir_ / "samples/grid.png",
                  data::grid_sheet(images, torus_.rows, torus_.columns));
}

void SampleWriter::write_mixture(CellId best) const {
  make_folder(output_dir_ / "mixture");
  const nn::GanSpec model = setup::model_of(experiment_);
  Json members = Json::array();
  for (const auto& [cell, weight, parameters] : island_.mixture_generators(best)) {
    const std::string file = fmt::format("cell-{}.safetensors", cell.value);
    checkpoint::write_weights(output_dir_ / "mixture" / file, model.generator, parameters,
                              {{"cell", std::to_string(cell.value)}});
    members.push_back({{"file", file},
                       {"row", torus_.row(cell)},
                       {"col", torus_.column(cell)},
                       {"weight", weight}});
  }
  const data::SampleShape shape = dataset_.shape();
  const Json mixture{{"model", Json::parse(config::model_text(experiment_.model))},
                     {"dataset", experiment_.data.dataset},
                     {"latent", model.latent()},
                     {"sample", {shape.height, shape.width, shape.channels}},
                     {"generators", members}};
  write_text(output_dir_ / "mixture/mixture.json", mixture.dump(2) + "\n");
}

std::size_t SampleWriter::bytes(const config::Experiment& experiment, const data::Dataset& dataset,
                                std::size_t n_hosted) {
  const std::size_t n_sheets = n_hosted * kKeptImprovements + 1;
  return n_sheets * experiment.samples.rows * experiment.samples.columns * dataset.shape().size() *
         sizeof(float);
}

}  // namespace lipizz::worker
