#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "comm/traffic.hpp"
#include "grid/torus.hpp"
#include "master/best_mixture.hpp"
#include "master/provenance.hpp"

namespace lipizz::master {

/// Everything that result.json tells; docs/architecture.md lists its keys.
struct RunResult {
  grid::Torus torus;
  Generation generations = 0;
  Generation start = 0;  // where the last assignment began; traffic and times count from there
  std::string numerics;
  std::string engine;
  std::vector<comm::CellResult> cells;  // one of each, in order
  struct Scoring {
    std::string metric;
    std::uint64_t judge = 0;                  // hash of what scores were taken against
    std::uint32_t n_samples = 0;              // that scores were taken over
    double floor = 0;                         // real against real
    std::uint32_t floor_n_samples = 0;        // fewer where the dataset has fewer
    std::optional<BestGeneration> best = {};  // while training
    std::uint32_t best_n_samples = 0;         // that these scores are taken over
    bool has_best_mixture = false;            // mixture-best/ is that one
  };
  Scoring scoring;
  comm::Traffic traffic;                        // of all processes together
  comm::Traffic::Count master;                  // to and from the master, without heartbeats
  std::vector<comm::InventoryEntry> inventory;  // by rank
  std::vector<std::string> devices;             // by rank; the master's is empty
  std::set<Rank> lost;                          // on the way
  std::vector<std::int32_t> rank_of_cell;       // that has told the cell's result
  Provenance provenance;
};

/// The index of the cell with the lowest score; NaN loses, ties go to the lower cell.
std::size_t best_of(std::span<const comm::CellResult> cells);

/// The fingerprint of the whole run: a hash over the cells' fingerprints in order.
std::uint64_t fingerprint_of(std::span<const comm::CellResult> cells);

/// `best cell (0, 1): frechet 3.25 (lower is better; real samples among themselves 0.5)`
std::string summary(const RunResult& result);

/// `the best generation was 179 of 1060: frechet 88.1 of 1000 samples; its mixture is in
/// mixture-best/`; empty where it was the last one, or no generation had a score.
std::string best_generation_text(const RunResult& result);

/// The text of result.json.
std::string result_json(const RunResult& result);

}  // namespace lipizz::master
