#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/traffic.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/histogram.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// A rank is dead or cannot be reached any more, or this one has lost its own message layer for
/// want of memory, which its code says then: no orderly end is left, this process has to abort.
struct PeerLost : Error {
  explicit PeerLost(const std::string& message, ExitCode code = ExitCode::kCommunication)
      : Error(code, message) {}
};

/// Master and workers say this to each other while a run goes on: one struct for each MessageKind
/// that has a payload (kLog carries telemetry/log_line.hpp). Each decodes what it encoded and
/// throws CommError on anything else. docs/protocol.md has the bytes.

enum class WorkerState : std::uint8_t { kInactive = 0, kProcessing, kFinished };
std::string_view to_string(WorkerState state);

/// kStatus, the answer to a heartbeat.
struct Status {
  WorkerState state = WorkerState::kInactive;
  Generation generation = 0;   // that it works on, or has finished
  std::int32_t waits_for = 0;  // the rank of its cell for which its training waits; 0: for none
  std::string collective{};    // in which it does

  [[nodiscard]] Bytes encode() const;
  static Status decode(std::span<const std::byte> bytes);
};

/// kMetrics: a cell has evaluated a generation.
struct Metrics {
  CellId cell;
  Generation generation = 0;
  double score = 0;           // lower is better
  std::string line;           // for metrics.jsonl, without a line break
  bool has_diverged = false;  // a network went NaN or infinite in training, and was not taken
  double seconds = 0;         // that the worker took for the generation, waiting aside

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
  std::uint32_t incarnation = 0;  // GLOBAL and WORLD keep no order between them, so it says so
  CellId cell;
  double score = 0;
  std::uint64_t fingerprint = 0;
  std::vector<Named> details;  // secondary figures of the score
  std::vector<double> class_shares;
  std::vector<Member> mixture;          // centre first
  std::vector<Named> wall_s;            // seconds by routine over the whole run, by the clock
  std::vector<Named> cpu_s;             // and of the training thread
  std::uint64_t exchange_messages = 0;  // publications of this cell that left its process
  std::uint64_t exchange_bytes = 0;     // of them, headers included

  [[nodiscard]] Bytes encode() const;
  static CellResult decode(std::span<const std::byte> bytes);
};

/// kTraffic: what a worker's process has sent when its results had left.
struct TrafficReport {
  std::uint32_t incarnation = 0;
  Traffic traffic;

  [[nodiscard]] Bytes encode() const;
  static TrafficReport decode(std::span<const std::byte> bytes);
};

enum class TaskKind : std::uint8_t {
  kOpenData = 0,   // asked by kAssign; the first active worker answers when its data are open
  kScoring,        // and before its first line of metrics, what scores are
  kImprovedSheet,  // draw the cell's mixture as it was in that generation
  kBestMixture,    // write it
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
  std::string metric;           // told with kScoring and kFinalFiles, as are floor and judge
  double floor = 0;             // real against real
  std::uint32_t n_samples = 0;  // that the floor was taken over
  std::string file;             // that people want to look at; may be empty
  std::uint64_t judge = 0;      // hash of what scores are taken against
  double seconds = 0;           // told with kBestMixture: that writing it took
  Generation generation = 0;    // that pictures and weights are of
  struct Weights {
    std::string tensor;  // generator/0.weight
    Histogram histogram;
    bool operator==(const Weights&) const = default;
  };
  /// They are the drawn cell's, and there only where TensorBoard is to be shown them.
  std::vector<Weights> weights{};

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

/// How a rank leaves: by MPI's collective end; by aborting the job, of which a rank is lost; each
/// for itself, because MPI's end would wait for a rank that was lost on the way; or alone, because
/// the others have given it up and go on.
enum class Ending : std::uint8_t { kTogether = 0, kAborted, kAlone, kGivenUp };

/// kStop.
struct Stop {
  std::int32_t exit_code = 0;
  Ending ending = Ending::kTogether;

  bool operator==(const Stop&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Stop decode(std::span<const std::byte> bytes);
};

/// kDirective: what the master wants of the training; a later one replaces it.
struct Directive {
  static constexpr Generation kNever = ~Generation{0};
  Generation save_at = kNever;    // every cell is saved at the end of this generation
  Generation save_from = kNever;  // and of every one from this one on
  /// Leave: whatever is held of cells is saved now, and the run ends as soon as it is.
  enum class Course : std::uint8_t { kTrain = 0, kLeave };
  Course course = Course::kTrain;

  bool operator==(const Directive&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Directive decode(std::span<const std::byte> bytes);
};

/// kFlushed: what the worker held of its cells when it was to leave is on the disk, or cannot be
/// written; kSaved has told of each file before.
struct Flushed {
  std::uint32_t incarnation = 0;  // of the assignment that it trains by

  [[nodiscard]] Bytes encode() const;
  static Flushed decode(std::span<const std::byte> bytes);
};

/// kSaved: a cell's file of this generation is on the disk, or cannot be written.
struct Saved {
  std::uint32_t incarnation = 0;  // of the assignment by which it was trained, or begun with
  CellId cell;
  Generation generation = 0;
  std::string error;   // empty: written
  double seconds = 0;  // from handing it over to the disk's word

  [[nodiscard]] Bytes encode() const;
  static Saved decode(std::span<const std::byte> bytes);
};

/// kAssign: all cells begin where they stood at the end of generation `start`, on these ranks.
/// Every assignment replaces the one before, and what was trained by it.
struct Assignment {
  static constexpr std::int32_t kNobody = -1;
  static constexpr Generation kAll = ~Generation{0};
  std::uint32_t incarnation = 0;  // of the grid, from 1; what bears an older one is dropped
  Generation start = 0;
  std::vector<std::int32_t> rank_of_cell;
  std::vector<std::int32_t> source_of_cell;  // who has a copy; kNobody: go on from file or seed
  std::vector<std::int32_t> lost;            // ranks that are given up
  Generation last = kAll;  // the run ends with it, where the experiment has more generations

  bool operator==(const Assignment&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Assignment decode(std::span<const std::byte> bytes);
};

/// kSharedResource: what one worker opens or makes for the others.
struct SharedResource {
  enum class Kind : std::uint8_t { kDataset = 0, kJudge };
  Kind kind = Kind::kDataset;
  Bytes bytes;  // a handle that maps the dataset on the same host; a judge

  [[nodiscard]] Bytes encode() const;
  static SharedResource decode(std::span<const std::byte> bytes);
};

/// kBegun: what this worker's training tells from now on belongs to that incarnation.
struct Begun {
  std::uint32_t incarnation = 0;

  [[nodiscard]] Bytes encode() const;
  static Begun decode(std::span<const std::byte> bytes);
};

/// kLost: this worker, which hosts no cells, is lost; who counted on it as a buddy takes another.
struct Lost {
  std::int32_t rank = 0;

  [[nodiscard]] Bytes encode() const;
  static Lost decode(std::span<const std::byte> bytes);
};

/// kHeld: a buddy keeps a copy of the cell at the end of this generation. Also the head of kCopy.
struct Held {
  std::uint32_t incarnation = 0;
  CellId cell;
  Generation generation = 0;

  bool operator==(const Held&) const = default;

  [[nodiscard]] Bytes encode() const;
  static Held decode(std::span<const std::byte> bytes);
};

/// kCopy.
struct CellCopy {
  Held about;
  Bytes state;  // as in the cell's file

  [[nodiscard]] Bytes encode() const;
  /// States are large: the memory of the message becomes that of the state.
  static CellCopy decode(Bytes bytes);
};

/// kStable.
struct Stable {
  Generation generation = 0;

  [[nodiscard]] Bytes encode() const;
  static Stable decode(std::span<const std::byte> bytes);
};

/// kCellSamples: samples of a cell's mixture, [n, sample size].
struct CellSamples {
  CellId cell;
  std::vector<float> samples;

  [[nodiscard]] Bytes encode() const;
  static CellSamples decode(std::span<const std::byte> bytes);
};

}  // namespace lipizz::comm
