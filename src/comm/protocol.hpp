#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// What a control message is. The value is its tag on the wire; docs/protocol.md has every payload.
enum class MessageKind : std::uint16_t {
  kPing = 1,        // master -> worker, the heartbeat
  kStatus,          // worker -> master, the answer, sent by the communication thread at once
  kAssign,          // master -> worker: who hosts which cells from now on, and where they begin
  kLog,             // worker -> master: lines for run.log
  kMetrics,         // worker -> master: one cell's line of metrics.jsonl for one generation
  kResult,          // worker -> master: one cell's final result
  kTask,            // master -> worker: write samples, write the mixture
  kTaskDone,        // worker -> master
  kFailure,         // worker -> master: exit code and message of an error that ends the run
  kStop,            // master -> all: leave now, with this exit code
  kCellSamples,     // worker -> worker: samples of a cell for the picture of the whole grid
  kDirective,       // master -> worker: where to save, and where to hold
  kPaused,          // worker -> master: it holds, at the end of this generation
  kSaved,           // worker -> master: a cell's file is written, or cannot be
  kSharedResource,  // worker -> worker: what cells are trained and judged with
  kBegun,           // worker -> master: it is ready to train as it was assigned
  kCopy,            // worker -> worker: the whole state of a cell, to be kept or gone on from
  kHeld,            // worker -> master: it keeps this copy
  kStable,          // master -> worker: copies of generations before this one may go
  kGenome,          // worker -> worker, on the exchange communicator: a publication
};

/// `ping`, `status`, ...: the kind as messages to people call it.
[[nodiscard]] std::string_view name_of(MessageKind kind);

/// The largest payload of this kind. A larger one is refused when it is sent, and when it arrives
/// before anything is allocated.
[[nodiscard]] std::size_t max_payload_bytes(MessageKind kind);

/// Throws CommError when a payload is larger than its kind allows.
void check_payload(MessageKind kind, std::size_t n_bytes);

/// The kind of a message that has arrived on WORLD. Throws CommError when its tag is no control
/// message's (kGenome is none) or it is larger than its kind allows.
[[nodiscard]] MessageKind check_control(Rank source, int tag, std::size_t n_bytes);

/// A control message as it arrived.
struct Message {
  Rank source;
  MessageKind kind;
  Bytes payload;
};

/// The head of a publication: which cell made it, which cell it is for, when, and from which side
/// of the receiver it comes (the index of `source` in the receiver's list of neighbours).
/// `incarnation` is that of the Assignment that the source cell trains by.
struct PublicationHeader {
  CellId source;
  CellId destination;
  std::uint32_t incarnation = 0;
  Generation generation = 0;
  std::uint32_t direction = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(PublicationHeader) == 24, "it is copied to the wire as it is");

/// Directions are below this, so that a tag holds one beside a generation.
inline constexpr std::uint32_t kMaxDirections = 16;

/// The tag of a publication's header: generation modulo 1024 times 16, plus direction.
[[nodiscard]] int tag_of(const PublicationHeader& header);

/// The tag of the payload that follows the header.
[[nodiscard]] int payload_tag_of(const PublicationHeader& header);

/// The message before the payload. Throws CommError when the payload is larger than
/// max_payload_bytes(kGenome) or the direction does not fit.
[[nodiscard]] Bytes encode_publication_header(const PublicationHeader& header,
                                              std::size_t payload_bytes);

/// The header again. Throws CommError when it does not fit its tag.
[[nodiscard]] PublicationHeader decode_publication_header(Rank source, int tag,
                                                          std::span<const std::byte> message);

/// Throws CommError when a message that has arrived on the exchange communicator has not the size
/// of a header, or is larger than a payload may be.
void check_publication(Rank source, int tag, std::size_t n_bytes);

/// Puts together what comes from one rank on the exchange communicator.
class PublicationReader {
 public:
  /// The publication that this message completes, if any. A payload is dropped whose header was
  /// given up, or followed by another one.
  [[nodiscard]] std::optional<std::pair<PublicationHeader, Bytes>> read(Rank source, int tag,
                                                                        Bytes message);

 private:
  std::optional<PublicationHeader> header_;  // whose payload comes next
};

}  // namespace lipizz::comm
