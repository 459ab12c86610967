#include "worker/sample_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "data/png.hpp"
#include "data/sheet.hpp"
#include "setup/model.hpp"
#include "setup/settings.hpp"
#include "worker/mixture_folder.hpp"
#include "worker/weight_histograms.hpp"

namespace lipizz::worker {
namespace {

constexpr std::uint32_t kPointsOfAPicture = 2000;

}  // namespace

SampleWriter::SampleWriter(coev::Island& island, const data::Dataset& dataset,
                           const config::Experiment& experiment,
                           const checkpoint::HeldFolder& folder)
    : island_(island),
      dataset_(dataset),
      experiment_(experiment),
      torus_(setup::torus_of(experiment)),
      folder_(folder) {}

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
  const auto& [rows, columns, cell_rows, cell_columns] = experiment_.outputs.samples;
  last.push_back(
      {report.generation, island_.sample_mixture(report.cell, n_samples(rows, columns)), {}});
  if (!experiment_.outputs.tensorboard) return;
  last.back().weights =
      weight_histograms(island_.state(report.cell).centre, setup::model_of(experiment_));
}

const SampleWriter::Kept* SampleWriter::find_kept(CellId cell, Generation generation) const {
  const auto improvements = improvements_.find(cell);
  if (improvements == improvements_.end()) return nullptr;
  const auto& last = improvements->second.last;
  const auto kept = std::ranges::find(last, generation, &Kept::generation);
  return kept == last.end() ? nullptr : &*kept;
}

std::string SampleWriter::write_improved(CellId cell, Generation generation) const {
  const Kept* kept = find_kept(cell, generation);
  if (kept == nullptr) return {};
  const std::string name = fmt::format("samples/best-gen{:03}.png", generation);
  write_sheet(name, kept->samples);
  return name;
}

std::vector<comm::TaskDone::Weights> SampleWriter::weights_of_improved(
    CellId cell, Generation generation) const {
  const Kept* kept = find_kept(cell, generation);
  return kept == nullptr ? std::vector<comm::TaskDone::Weights>() : kept->weights;
}

comm::CellSamples SampleWriter::samples_for_grid(CellId cell) {
  const std::uint32_t n =
      n_samples(experiment_.outputs.samples.cell_rows, experiment_.outputs.samples.cell_columns);
  return {cell, island_.sample_mixture(cell, n)};
}

void SampleWriter::write_pictures(CellId best, const std::vector<comm::CellSamples>& all) {
  write_grid(all);
  write_best(best);
}

void SampleWriter::write_best(CellId best) {
  const std::uint32_t n =
      n_samples(experiment_.outputs.samples.rows, experiment_.outputs.samples.columns);
  write_sheet("samples/best.png", island_.sample_mixture(best, n));
}

void SampleWriter::write_sheet(const std::string& name, std::span<const float> samples) const {
  write_picture(name, data::sample_sheet(dataset_, samples, experiment_.outputs.samples.columns,
                                         data::kSheetWidth));
}

void SampleWriter::write_picture(const std::string& name, const data::Image& picture) const {
  const std::filesystem::path file = folder_.present() / name;
  make_folder(file.parent_path());
  data::write_png(file, data::enlarged(picture));
}

void SampleWriter::write_grid(const std::vector<comm::CellSamples>& all) const {
  std::map<CellId, const comm::CellSamples*> by_cell;
  for (const comm::CellSamples& each : all) by_cell[each.cell] = &each;
  constexpr std::uint32_t kSmallPlot = 256;
  const std::uint32_t plot_size = std::max(kSmallPlot, data::kSheetWidth / torus_.columns);
  std::vector<data::Image> images;
  for (const auto& [cell, each] : by_cell) {
    images.push_back(data::sample_sheet(dataset_, each->samples,
                                        experiment_.outputs.samples.cell_columns, plot_size));
  }
  if (images.size() != torus_.cells()) {
    throw InternalError("the picture of the grid lacks cells");
  }
  write_picture("samples/grid.png", data::grid_sheet(images, torus_.rows, torus_.columns));
}

void SampleWriter::write_mixture(CellId best, Generation generation) {
  const std::filesystem::path folder = folder_.present() / "mixture";
  make_folder(folder);
  const auto members = island_.mixture_generators(best);
  worker::write_mixture(folder, {.experiment = experiment_,
                                 .model = setup::model_of(experiment_),
                                 .kind = dataset_.kind(),
                                 .shape = dataset_.shape(),
                                 .members = members,
                                 .examples = island_.mixture_examples(best, kMixtureExamples),
                                 .cell = best,
                                 .generation = generation,
                                 .score = {}});
}

std::string SampleWriter::write_best_mixture(const KeptMixture& kept) const {
  const std::string name = "mixture-best";
  const std::filesystem::path made = folder_.present() / (name + ".new");
  std::error_code none;
  std::filesystem::remove_all(made, none);
  make_folder(made);
  worker::write_mixture(made, {.experiment = experiment_,
                               .model = setup::model_of(experiment_),
                               .kind = dataset_.kind(),
                               .shape = dataset_.shape(),
                               .members = kept.members,
                               .examples = kept.examples,
                               .cell = kept.cell,
                               .generation = kept.generation,
                               .score = kept.score});
  replace_folder(made, folder_.present() / name);
  return name;
}

std::size_t SampleWriter::bytes(const config::Experiment& experiment, std::size_t sample_size,
                                std::size_t n_hosted, std::size_t n_members) {
  const std::size_t n_of_sheet =
      std::size_t{experiment.outputs.samples.rows} * experiment.outputs.samples.columns;
  const std::size_t n_samples = n_hosted * kKeptImprovements * n_of_sheet +
                                std::max<std::size_t>(n_of_sheet, n_members * kMixtureExamples);
  return n_samples * sample_size * sizeof(float);
}

}  // namespace lipizz::worker
