#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "checkpoint/checked_line.hpp"
#include "master/result.hpp"
#include "worker/metrics_line.hpp"

namespace lipizz::report {

/// Files of a run as master and worker write them, for tests of their readers.

/// A generator with the rate 0.25 * generation, trained from the cell before.
inline coev::CellReport report_of(std::uint32_t cell, Generation generation) {
  coev::CellReport report;
  report.cell = {cell};
  report.generation = generation;
  report.score = generation == 0 ? report.score : 10.0 / generation + cell;
  report.score_details = {{"tvd", 0.5}};
  report.class_shares = {0.25, 0.75};
  report.generator.rate = 0.25 * generation;
  report.generator.objective = "bce";
  report.generator.origin = {cell == 0 ? 0 : cell - 1};
  report.generator.is_replaced = true;
  report.discriminator.loss = 0.125;
  report.discriminator.is_copied = true;
  report.mixture = {{{cell}, 0.75}, {{cell == 0 ? 1U : 0U}, 0.25}};
  report.ages = {{{cell == 0 ? 1U : 0U}, -2}, {{cell}, std::nullopt}};
  report.profile = {{"train", 1.5}};
  return report;
}

inline std::string written_line(std::uint32_t cell, Generation generation,
                                const grid::Torus& torus) {
  return checkpoint::checked_line(worker::metrics_line(report_of(cell, generation), torus, 0.125));
}

/// The result of a 1x2 grid, whose second cell is the best.
inline master::RunResult result_of_pair() {
  master::RunResult result;
  result.torus = {1, 2};
  result.generations = 20;
  result.start = 5;
  result.numerics = "avx2";
  result.cells.resize(2);
  result.cells[0].score = 7;
  result.cells[1].cell = {1};
  result.cells[1].score = 3;
  result.scoring = {"frechet", 0xabc, 1000, 0.5, 600};
  result.scoring.best = {.generation = 12, .cell = {0}, .score = 2.5};
  result.scoring.best_n_samples = 200;
  result.scoring.has_best_mixture = true;
  result.inventory.resize(2);
  result.devices = {"", "cpu"};
  result.rank_of_cell = {1, 1};
  result.provenance.name = "a";
  result.provenance.dataset = "mnist";
  result.provenance.model = R"("mlp")";
  result.provenance.seed = 7;
  result.provenance.configuration = 0xdef;
  result.provenance.times.training_s = 50.5;
  return result;
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace lipizz::report
