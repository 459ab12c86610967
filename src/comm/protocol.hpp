#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// The three communicators of Perez et al.; CommManager says who is in each.
enum class Scope : std::uint8_t { kWorld = 0, kLocal, kGlobal };
inline constexpr std::size_t kScopes = 3;

/// `WORLD`, `LOCAL`, `GLOBAL`
[[nodiscard]] std::string_view to_string(Scope scope);

/// The kinds of control messages. The value is the tag on the wire; docs/protocol.md has every
/// payload.
enum class MessageKind : std::uint16_t {
  kPing = 1,        // master -> worker, the heartbeat
  kStatus,          // worker -> master, the answer, sent by the communication thread at once
  kAssign,          // master -> worker: who hosts which cells from now on, and where they begin
  kLog,             // worker -> master: lines for run.log
  kMetrics,         // worker -> master: one cell's line of metrics.jsonl for one generation
  kResult,          // worker -> master, on GLOBAL: one cell's final result
  kTask,            // master -> worker: write samples, write the mixture
  kTaskDone,        // worker -> master
  kFailure,         // worker -> master: exit code and message of an error that ends the run
  kStop,            // master -> all: leave now, with this exit code
  kCellSamples,     // worker -> worker, on GLOBAL: samples for the picture of the whole grid
  kDirective,       // master -> worker: where to save, and when to leave
  kFlushed,         // worker -> master: what it held of its cells is saved
  kSaved,           // worker -> master: a cell's file is written, or cannot be
  kSharedResource,  // worker -> worker: what cells are trained and scored with
  kBegun,           // worker -> master: it is ready to train as it was assigned
  kCopy,            // worker -> worker: the whole state of a cell, to be kept or gone on from
  kHeld,            // worker -> master: it keeps this copy
  kStable,          // master -> worker: copies of generations before this one may go
  kTraffic,         // worker -> master, on GLOBAL: what this process has sent
  kLost,            // master -> worker: a worker without cells is lost; nobody goes back
  kPublication,     // worker -> worker, on LOCAL or GLOBAL: a publication, which has its own tags
};

/// `ping`, `status`, ...: the kind as messages to people call it.
[[nodiscard]] std::string_view name_of(MessageKind kind);

/// The largest payload of this kind. A larger one is refused when it is sent, and when it arrives
/// before anything is allocated.
[[nodiscard]] std::size_t max_payload_bytes(MessageKind kind);

/// Throws CommError when a payload is larger than its kind allows.
void check_payload(MessageKind kind, std::size_t n_bytes);

/// The communicator that messages of this kind travel on; of kPublication the header tells.
[[nodiscard]] Scope scope_of(MessageKind kind);

/// The kind of a control message that has arrived on `scope`. Throws CommError when its tag is no
/// control message's (kPublication is none), it travels elsewhere, or it is larger than its kind
/// allows.
[[nodiscard]] MessageKind check_control(Scope scope, Rank source, int tag, std::size_t n_bytes);

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

/// The incarnation that every run begins with. Later ones follow from the loss of a worker.
inline constexpr std::uint32_t kFirstIncarnation = 1;

/// Publications travel over LOCAL while those train who were active at first, and over GLOBAL once
/// a worker has been lost (docs/adr/0021-what-local-and-global-carry.md).
[[nodiscard]] Scope scope_of_publication(const PublicationHeader& header);

/// Directions are below this, so that a tag holds one beside a generation.
inline constexpr std::uint32_t kMaxDirections = 16;

/// True for a publication's two tags, which no control message has.
[[nodiscard]] bool is_of_publication(int tag);

/// The tag of a publication's header: 8192, plus generation modulo 512 times 16, plus direction.
[[nodiscard]] int tag_of(const PublicationHeader& header);

/// The tag of the payload that follows the header.
[[nodiscard]] int payload_tag_of(const PublicationHeader& header);

/// The message before the payload. Throws CommError when the payload is larger than
/// max_payload_bytes(kPublication) or the direction does not fit.
[[nodiscard]] Bytes encode_publication_header(const PublicationHeader& header,
                                              std::size_t payload_bytes);

/// The header again. Throws CommError when it does not fit its tag.
[[nodiscard]] PublicationHeader decode_publication_header(Rank source, int tag,
                                                          std::span<const std::byte> message);

/// Throws CommError when a message with a publication's tag has not the size of a header, or is
/// larger than a payload may be.
void check_publication(Rank source, int tag, std::size_t n_bytes);

/// Puts publications together from what comes from one rank on one communicator.
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
