#pragma once

#include <cstdint>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// What a control message is. The value is its tag on the wire; docs/protocol.md has every payload.
enum class MessageKind : std::uint16_t {
  kPing = 1,    // master -> worker, the heartbeat
  kStatus,      // worker -> master, the answer, sent by the communication thread at once
  kStart,       // master -> worker: begin training
  kLog,         // worker -> master: lines for run.log
  kMetrics,     // worker -> master: one cell's line of metrics.jsonl for one generation
  kResult,      // worker -> master: one cell's final result
  kTask,        // master -> worker: write samples, write the mixture
  kTaskDone,    // worker -> master
  kFailure,     // worker -> master: exit code and message of an error that ends the run
  kStop,        // master -> all: leave now, with this exit code
  kTiles,       // worker -> worker: samples of a cell for the picture of the whole grid
  kGenome,      // worker -> worker, on the exchange communicator: a publication
};

/// A control message as it arrived.
struct Message {
  Rank source;
  MessageKind kind;
  Bytes payload;
};

/// The head of a publication: which cell made it, which cell it is for, when, and from which side of
/// the receiver it comes (the index of `source` in the receiver's list of neighbours, so that two
/// messages between the same two ranks never meet). `incarnation` counts the lives of the source
/// cell; messages of an earlier life are dropped.
struct PublicationHeader {
  CellId source;
  CellId destination;
  std::uint32_t incarnation = 0;
  Generation generation = 0;
  std::uint32_t direction = 0;
  std::uint32_t reserved = 0;
};

}  // namespace lipizz::comm
