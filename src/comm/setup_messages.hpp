#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "core/library.hpp"
#include "core/speed.hpp"

namespace lipizz::comm {

/// A bound on the memory that a process can still get, as it stood at set-up.
struct MemoryLimit {
  std::string name;              // `the memory of the host`
  std::uint64_t free_bytes = 0;  // that are left of it
  std::uint64_t shared_by = 0;   // processes of a host share one of equal name and number
  bool counts_files = false;     // those that are mapped into memory, too

  bool operator==(const MemoryLimit&) const = default;
};

/// The program that a rank is.
struct Program {
  std::string version;
  std::uint64_t build = 0;         // hash of it; ranks of different builds are refused
  std::vector<Library> libraries;  // that it runs with
};

/// A rank tells the master at set-up, before anything is decided, what it is and has, or why it
/// cannot take part.
struct InventoryEntry {
  std::string host;
  std::uint32_t pid = 0;
  struct Cores {
    std::uint32_t n = 0;
    std::uint64_t set = 0;       // processes of a host with the same number may use the same ones
    std::uint32_t n_of_all = 0;  // that its control groups give time for, to all together; 0: any
  } cores;                       // that this process may use
  double load = 0;               // of the whole node, as host_load() has it
  struct Memory {
    std::uint64_t bytes = 0;  // of the whole node
    std::vector<MemoryLimit> limits;
  } memory;
  std::vector<std::string> devices;  // accelerators, by name
  std::uint32_t n_gpus = 0;          // that it can train on; not counted where none are asked for
  std::string why_no_gpu;            // where there is none of them
  Program program;
  std::uint64_t configuration = 0;  // hash of the experiment that this rank was given
  std::string engine;
  std::vector<std::string> numerics_levels;  // that engine and machine offer, lowest first
  std::optional<Speed> speed;                // of a batch, once it has measured it
  std::int32_t exit_code = 0;                // not 0: this rank failed, and `error` says how
  std::string error;

  [[nodiscard]] Bytes encode() const;
  static InventoryEntry decode(std::span<const std::byte> bytes);
};

/// The master's answer, the same for every rank. Where cells are placed by measured speed there are
/// two: the first asks for speeds and places nothing yet; entries with these come back.
struct RunPlan {
  bool go = false;  // false: leave with exit_code
  bool asks_for_speed = false;
  std::int32_t exit_code = 0;
  std::string experiment;                  // JSON, every `auto` resolved
  std::string numerics;                    // the level that all ranks compute at
  std::string convolution_table;           // nn's JSON; empty: the build's own
  std::string output_dir;                  // absolute
  Generation start = 0;                    // all cells are resumed from its end; 0: from the seed
  std::vector<std::string> hosts;          // by rank
  std::vector<std::string> devices;        // by rank: what it computes with; the master's is empty
  std::vector<std::int32_t> rank_of_cell;  // by cell, at first
  bool survives_losses = false;            // cells of a lost worker move to others
  std::uint32_t ranks_per_cell = 1;        // a worker and its helpers

  [[nodiscard]] Bytes encode() const;
  static RunPlan decode(std::span<const std::byte> bytes);
};

/// Those of these ranks that are workers, in their order.
[[nodiscard]] std::vector<Rank> workers_among(std::span<const Rank> ranks,
                                              std::uint32_t ranks_per_cell);
/// These workers, each with its helpers behind it.
[[nodiscard]] std::vector<Rank> with_helpers(std::span<const Rank> workers,
                                             std::uint32_t ranks_per_cell);

/// The cells of a rank, ascending; empty for the master and for spares.
[[nodiscard]] std::vector<CellId> cells_of(std::span<const std::int32_t> rank_of_cell, Rank rank);
/// The cells of each of `n_ranks` ranks, ascending, in one look at all of them.
[[nodiscard]] std::vector<std::vector<CellId>> cells_by_rank(
    std::span<const std::int32_t> rank_of_cell, std::size_t n_ranks);
/// The ranks of a WORLD of so many, but for the master, that are not lost, ascending.
[[nodiscard]] std::vector<Rank> living_among(std::size_t n_ranks,
                                             std::span<const std::int32_t> lost);
/// The ranks that host cells, ascending.
[[nodiscard]] std::vector<Rank> active_in(std::span<const std::int32_t> rank_of_cell);

}  // namespace lipizz::comm
