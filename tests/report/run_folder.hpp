#pragma once

#include <filesystem>
#include <string>

#include "config/json.hpp"
#include "report/run_event.hpp"
#include "report/written_run.hpp"

namespace lipizz::report {

/// Writes a run of two cells and two generations as master and workers do: with a result, an event,
/// two sheets, one of the whole grid.
inline void write_run(const std::filesystem::path& folder) {
  const grid::Torus torus{1, 2};
  config::Experiment experiment;
  experiment.name = "a";
  experiment.generations = 2;
  experiment.grid.rows = 1;
  experiment.grid.columns = 2;
  write_text(folder / "config.json", config::to_json(experiment));
  std::string lines;
  for (const Generation generation : {1U, 2U}) {
    for (const std::uint32_t cell : {0U, 1U}) lines += written_line(cell, generation, torus) + '\n';
  }
  write_text(folder / "metrics.jsonl", lines);
  RunEvent begun;
  begun.torus = torus;
  begun.generations = 2;
  begun.ranks.hosts = {"head", "node"};
  write_text(folder / "events.jsonl", to_line(begun) + '\n');
  std::filesystem::create_directories(folder / "samples");
  for (const char* name : {"best-gen001.png", "best.png", "grid.png"}) {
    write_text(folder / "samples" / name, std::string("\x89PNG of ") + name);
  }
  master::RunResult result = result_of_pair();
  result.generations = 2;
  write_text(folder / "result.json", master::result_json(result));
}

}  // namespace lipizz::report
