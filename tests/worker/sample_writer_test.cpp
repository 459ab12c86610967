#include "worker/sample_writer.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "checkpoint/safetensors.hpp"
#include "checkpoint/support.hpp"
#include "core/error.hpp"
#include "data/png.hpp"
#include "data/sheet.hpp"
#include "fake_island.hpp"
#include "nn/exec/host_device.hpp"
#include "toy_scorer.hpp"

namespace lipizz::worker::sample_writer_test {
namespace {

namespace fs = std::filesystem;

config::Experiment two_cells() {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.model.name = "mlp-2d";
  experiment.grid = {1, 2};
  return experiment;
}

struct Fixture {
  coev::CellReport report(Generation generation, double score) const {
    coev::CellReport report;
    report.generation = generation;
    report.score = score;
    return report;
  }

  TemporaryFolder temporary;
  fs::path folder = temporary / "run";
  config::Experiment experiment = two_cells();
  std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  ToyScorer scorer;
  coev::Settings settings = coev::fake::small_settings(1);
  nn::HostDevice device;
  coev::Island island{settings, {1, 2}, {{0}, {1}}, *dataset, scorer, device};
  checkpoint::HeldFolder held{folder};
  SampleWriter writer{island, *dataset, experiment, held};
};

TEST(SampleWriter, draws_an_improvement_as_long_as_it_is_kept) {
  Fixture worker;
  double score = 100;
  for (Generation generation = 1; generation <= 6; ++generation) {
    worker.writer.keep_if_improved(worker.report(generation, score -= 1));
  }
  EXPECT_EQ(worker.writer.write_improved({0}, 6), "samples/best-gen006.png");
  EXPECT_TRUE(fs::exists(worker.folder / "samples/best-gen006.png"));
  EXPECT_EQ(worker.writer.write_improved({0}, 3), "samples/best-gen003.png");
  EXPECT_EQ(worker.writer.write_improved({0}, 2), "") << "four are kept";
  EXPECT_EQ(worker.writer.write_improved({1}, 6), "") << "the other cell never improved";
}

TEST(SampleWriter, keeps_how_weights_were_spread_where_tensorboard_is_shown_them) {
  Fixture worker;
  worker.writer.keep_if_improved(worker.report(1, 5));
  EXPECT_TRUE(worker.writer.weights_of_improved({0}, 1).empty());
  worker.experiment.outputs.tensorboard = true;
  worker.writer.keep_if_improved(worker.report(2, 4));
  EXPECT_FALSE(worker.writer.weights_of_improved({0}, 2).empty());
  EXPECT_TRUE(worker.writer.weights_of_improved({0}, 1).empty());
  EXPECT_TRUE(worker.writer.weights_of_improved({1}, 2).empty());
}

TEST(SampleWriter, keeps_nothing_that_is_no_improvement) {
  Fixture worker;
  worker.writer.keep_if_improved(worker.report(1, 5));
  worker.writer.keep_if_improved(worker.report(2, 5));
  worker.writer.keep_if_improved(worker.report(3, std::nan("")));
  EXPECT_EQ(worker.writer.write_improved({0}, 2), "");
  EXPECT_EQ(worker.writer.write_improved({0}, 3), "");
  EXPECT_EQ(worker.writer.write_improved({0}, 1), "samples/best-gen001.png");
}

TEST(SampleWriter, writes_the_final_pictures_and_the_mixture) {
  Fixture worker;
  // As they arrive: in any order.
  const std::vector<comm::CellSamples> samples{worker.writer.samples_for_grid({1}),
                                               worker.writer.samples_for_grid({0})};
  worker.writer.write_pictures({1}, samples);
  worker.writer.write_mixture({1}, 3);
  const data::Image best = data::read_png(worker.folder / "samples/best.png");
  const data::Image grid = data::read_png(worker.folder / "samples/grid.png");
  EXPECT_GE(best.width, data::kSheetWidth);
  EXPECT_GE(grid.width, 2 * grid.height - 20) << "two cells side by side";
  EXPECT_GE(grid.width, data::kSheetWidth);

  std::ifstream file(worker.folder / "mixture/mixture.json");
  const auto mixture = nlohmann::json::parse(file);
  EXPECT_EQ(mixture["model"], "mlp-2d");
  EXPECT_EQ(mixture["dataset"], "ring8");
  ASSERT_EQ(mixture["generators"].size(), 1U);
  EXPECT_EQ(mixture["generators"][0]["weight"], 1.0);
  EXPECT_EQ(mixture["generators"][0]["col"], 1);
  const auto weights = checkpoint::read_tensors(
      worker.folder / "mixture" / mixture["generators"][0]["file"].get<std::string>());
  EXPECT_EQ(weights.tensors().size(), 2 * worker.settings.model.generator.layers.size());
  EXPECT_TRUE(fs::exists(worker.folder / "mixture/examples.safetensors"));
  EXPECT_TRUE(fs::exists(worker.folder / "mixture/read_mixture.py"));
}

TEST(SampleWriter, a_picture_of_the_grid_needs_every_cell) {
  Fixture worker;
  const comm::CellSamples samples = worker.writer.samples_for_grid({1});
  EXPECT_THROW(worker.writer.write_pictures({1}, {samples, samples}), InternalError);
}

}  // namespace
}  // namespace lipizz::worker::sample_writer_test
