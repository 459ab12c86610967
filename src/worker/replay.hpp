#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "coev/report.hpp"
#include "comm/setup_messages.hpp"
#include "core/ids.hpp"
#include "grid/light_cone.hpp"
#include "telemetry/log.hpp"

namespace lipizz::worker {

/// A replay computes cells of a run at the end of a generation again, from their seeds or from
/// saved states, to the same bits, and of all other cells only what they depend on
/// (docs/lineage.md, ADR 29). It takes a synchronous run on the processor.
struct ReplayTask {
  /// As setup::agree() makes it for a master and as many workers as there are to be threads; its
  /// experiment is the run's.
  const comm::RunPlan& run_plan;
  std::string data_dir;
  /// That of the targets; with is_final of their neighbours, too, since a final mixture is made of
  /// generators that are all of the last generation.
  const grid::LightCone& cone;
  std::vector<CellId> targets;
  bool is_final = false;         // as after the run's last generation: final mixtures
  std::filesystem::path run;     // has the cells' files of cone.start(), unless that is 0
  std::filesystem::path output;  // a folder that is there
  bool writes_mixture = false;   // of the only target
  /// The one that saved files of the run bear, if there are any. CheckpointError where the data are
  /// others.
  std::optional<checkpoint::Lineage> expected;
};

struct ReplayedCell {
  CellId cell;
  std::uint64_t fingerprint = 0;  // with is_final: the one in the run's result.json
  bool has_mixture = false;       // mixture/ and samples/ were written
};

struct Replayed {
  std::vector<ReplayedCell> cells;  // ascending
  /// The threads took this for what metrics.jsonl counts as `seconds`, without making a scorer.
  double cpu_s = 0;
};

/// Computes, and writes `checkpoints/generation-NNNNNN/cell-NNNN.safetensors` of every target as a
/// run does, and mixture/ with samples/best.png where asked to and possible (at the generation that
/// it starts from, a mixture's other generators are not known). Files that are there already are
/// overwritten.
///
/// `tell` hears of each cell-generation, on any thread, one call at a time; of cells that are no
/// targets the mixture and score mean nothing. It may throw, which ends the replay. DataError,
/// NumericError, CheckpointError (a file is damaged, is another run's, or cannot be written).
Replayed replay(const ReplayTask& task, const telemetry::Log& log,
                const std::function<void(const coev::CellReport&)>& tell);

}  // namespace lipizz::worker
