#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "coev/cell_state.hpp"
#include "coev/island.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "telemetry/log.hpp"
#include "worker/replay.hpp"
#include "worker/replay_board.hpp"
#include "worker/shared_resources.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::worker {

/// One thread's share of a replay: some of the light cone's cells, from the start to their files.
/// That thread alone makes, uses and ends it.
class ReplayShare {
 public:
  struct Surroundings {
    PeerGroup peers;  // the threads, by the ranks of the task's run plan
    ReplayBoard& board;
    const telemetry::Log& log;
    std::function<void(const coev::CellReport&)> tell;  // of each cell-generation
    std::function<bool()> keep_going;
  };

  /// `cells`: of the cone's start. The references must outlive it.
  ReplayShare(const ReplayTask& task, std::vector<CellId> cells, Surroundings surroundings);

  /// Returns what has become of the targets among its cells, whose files are written then.
  /// coev::Interrupted when another thread has failed.
  std::vector<ReplayedCell> run();
  /// CPU seconds of run(), as Replayed counts them.
  [[nodiscard]] double cpu_s() const { return cpu_s_; }

 private:
  void begin();
  void evolve(Generation generation);
  void finish();
  void publish(Generation generation);
  void receive(Generation generation, Generation published);
  std::vector<ReplayedCell> write();
  void write_mixture(CellId cell);
  [[nodiscard]] std::vector<coev::CellState> saved_states() const;
  [[nodiscard]] checkpoint::CellOrigin origin(CellId cell, Generation generation) const;
  /// Those of them that are cells of this share.
  [[nodiscard]] std::vector<CellId> own(std::span<const CellId> cells) const;
  [[nodiscard]] bool holds_mixture(CellId cell) const;

  const ReplayTask& task_;
  std::vector<CellId> cells_;
  Surroundings surroundings_;
  WorkerContext context_;
  coev::Settings settings_;
  std::optional<SharedResources> resources_;
  std::optional<coev::Island> island_;
  double cpu_s_ = 0;
};

}  // namespace lipizz::worker
