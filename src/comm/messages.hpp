#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// A rank is dead or cannot be reached any more: no orderly end is left, this process has to abort.
/// Without a text where another rank says it.
struct PeerLost : CommError {
  using CommError::CommError;
};

/// What master and workers say to each other while a run goes on; one struct for each MessageKind
/// that has a payload (kLog carries telemetry/log_line.hpp). Each decodes what it encoded and
/// throws CommError on anything else. docs/protocol.md has the bytes.

enum class WorkerState : std::uint8_t { kInactive = 0, kProcessing, kFinished };
std::string_view to_string(WorkerState state);

/// kStatus, the answer to a heartbeat.
struct Status {
  WorkerState state = WorkerState::kInactive;
  Generation generation = 0;  // that it works on, or has finished

  [[nodiscard]] Bytes encode() const;
  static Status decode(std::span<const std::byte> bytes);
};

/// kMetrics: a cell has evaluated a generation.
struct Metrics {
  CellId cell;
  Generation generation = 0;
  double score = 0;  // lower is better
  std::string line;  // for metrics.jsonl, without a line break

  [[nodiscard]] Bytes encode() const;
  static Metrics decode(std::span<const std::byte> bytes);
};

/// kResult: what one cell has come to.
struct CellResult {
  struct Named {
    std::string name;
    double value = 0;
  };
  struct Member {
    CellId cell;
    double weight = 0;
  };
  CellId cell;
  double score = 0;
  std::uint64_t fingerprint = 0;
  std::vector<Named> details;  // secondary figures of the score
  std::vector<double> class_shares;
  std::vector<Member> mixture;          // centre first
  std::vector<Named> profile;           // seconds by routine over the whole run
  std::uint64_t exchange_messages = 0;  // publications of this cell that left its process
  std::uint64_t exchange_bytes = 0;     // of them, headers included

  [[nodiscard]] Bytes encode() const;
  static CellResult decode(std::span<const std::byte> bytes);
};

enum class TaskKind : std::uint8_t {
  kOpenData = 0,   // asked by kStart; the first active worker answers when its data are open
  kImprovedSheet,  // draw the cell's mixture as it was in that generation
  kFinalFiles,     // all send their cells' samples to writer_rank, which writes the files
};

/// kTask.
struct Task {
  TaskKind kind = TaskKind::kImprovedSheet;
  CellId cell;  // the best one
  Generation generation = 0;
  Rank writer_rank;  // of the files: the rank that hosts `cell`

  [[nodiscard]] Bytes encode() const;
  static Task decode(std::span<const std::byte> bytes);
};

/// kTaskDone.
struct TaskDone {
  TaskKind kind = TaskKind::kOpenData;
  std::string metric;
  double floor = 0;             // real against real
  std::uint32_t n_samples = 0;  // that the floor was taken over
  std::string file;             // that people want to look at; may be empty

  [[nodiscard]] Bytes encode() const;
  static TaskDone decode(std::span<const std::byte> bytes);
};

/// kFailure: an error that ends the run.
struct Failure {
  std::int32_t exit_code = 0;
  std::string message;

  [[nodiscard]] Bytes encode() const;
  static Failure decode(std::span<const std::byte> bytes);
};

/// kStop.
struct Stop {
  std::int32_t exit_code = 0;
  bool is_abandoned = false;  // a rank is lost: abort instead of an orderly end, which would hang

  bool operator==(const Stop&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Stop decode(std::span<const std::byte> bytes);
};

/// kCourse: what the master wants of the training; a later one replaces it.
struct Course {
  static constexpr Generation kNever = ~Generation{0};
  Generation save_at = kNever;    // every cell is saved at the end of this generation
  Generation hold_from = kNever;  // no generation is begun after this one

  bool operator==(const Course&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Course decode(std::span<const std::byte> bytes);
};

/// kHolding: the worker's cells stand at the end of this generation, and wait.
struct Holding {
  Generation generation = 0;

  [[nodiscard]] Bytes encode() const;
  static Holding decode(std::span<const std::byte> bytes);
};

/// kSaved: a cell's file of this generation is on the disk, or cannot be written.
struct Saved {
  CellId cell;
  Generation generation = 0;
  std::string error;  // empty: written

  [[nodiscard]] Bytes encode() const;
  static Saved decode(std::span<const std::byte> bytes);
};

/// kTiles: samples of a cell's mixture, [n, sample size].
struct Tiles {
  CellId cell;
  std::vector<float> samples;

  [[nodiscard]] Bytes encode() const;
  static Tiles decode(std::span<const std::byte> bytes);
};

}  // namespace lipizz::comm
