#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {

/// All that a result.json says beyond FinishedRun: how a run went, and where it comes from.
struct ResultDetails {
  /// The seconds of a rank that hosts cells, and where it is.
  struct RankTime {
    Rank rank;
    std::uint32_t n_cells = 0;
    double waited_s = 0;       // for neighbours, by the clock
    double helpers_s = 0;      // waiting for helpers, by the clock
    double total_s = 0;        // by the clock
    std::vector<Named> cpu_s;  // of its training thread, by routine, without the total
    std::string host;
  };
  std::vector<RankTime> times;

  struct Traffic {
    std::string name;  // world, local, global, exchange, master
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    double bytes_per_cell_and_generation = 0;  // NaN where it is not told
  };
  std::vector<Traffic> traffic;
  std::uint64_t n_unauthenticated = 0;  // messages that bore no code of the run and were dropped

  struct Cell {
    double score = 0;
    std::string fingerprint;
  };
  std::vector<Cell> cells;  // by number

  std::vector<Rank> lost;  // the run went on without them
  std::string engine;
  std::string started;  // UTC
  std::string ended;
  std::string version;
  std::string git;
  std::vector<std::string> hosts;
  std::vector<std::string> command;
  std::vector<std::string> libraries;  // `name version`
};

/// `source` stands in messages. A key that is missing leaves its member as here. CheckpointError
/// when the text is no result of a run.
ResultDetails parse_result_details(std::string_view text, std::string_view source);

/// Nothing where the run has no result yet. CheckpointError as above, and when it is larger than
/// 256 MiB or cannot be read.
std::optional<ResultDetails> read_result_details(const std::filesystem::path& folder);

}  // namespace lipizz::report
