#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "comm/authentication.hpp"
#include "comm/route.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::comm {

/// The kinds of control messages. The value is the tag on the wire; docs/protocol.md has every
/// payload.
enum class MessageKind : std::uint16_t {
  kPing = 1,        // master -> worker, the heartbeat
  kStatus,          // worker -> master, the answer, sent by the handler at once
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
  kCellPart,        // between the ranks of a cell, on CELL: a part of a collective
  kPublication,     // worker -> worker, on LOCAL or GLOBAL: a publication, which has its own tags
};

/// `ping`, `status`, ...: the kind as messages to people call it.
[[nodiscard]] std::string_view name_of(MessageKind kind);

/// The largest payload of this kind.
[[nodiscard]] std::size_t max_payload_bytes(MessageKind kind);

/// The communicator that messages of this kind travel on; of kPublication the header tells.
[[nodiscard]] Scope scope_of(MessageKind kind);

/// Throws CommError when a payload is larger than its kind allows, and InternalError when `source`
/// never says this to `destination`.
void check_sent(MessageKind kind, Rank source, Rank destination, std::size_t n_bytes);

/// True for a message that a rank of this run may have sent this way: a control message
/// (kPublication is none) of a known kind, or a part of a publication, on its communicator, between
/// ranks that say this to each other, and no larger than its kind allows. Others are dropped before
/// anything is allocated. `n_bytes` counts what authenticates it.
[[nodiscard]] bool is_admissible(const Route& route, std::size_t n_bytes);

/// A warning of the first message that was dropped because no rank of this run sent it.
[[nodiscard]] std::string unauthenticated_text(Rank claimed_source);

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

/// A receiver of a publication: the rank that hosts the header's destination cell.
struct Reader {
  Rank rank;
  PublicationHeader header;
};

/// The incarnation that every run begins with. Later ones follow from the loss of a worker, or from
/// cells that move.
inline constexpr std::uint32_t kFirstIncarnation = 1;

/// Publications travel over LOCAL while those train who were active at first, and over GLOBAL once
/// a worker has been lost or cells have moved (docs/adr/0021-what-local-and-global-carry.md).
[[nodiscard]] Scope scope_of_publication(const PublicationHeader& header);

/// Directions are below this, so that a tag holds one beside a generation.
inline constexpr std::uint32_t kMaxDirections = 16;

/// True for a publication's two tags, which no control message has.
[[nodiscard]] bool is_of_publication(int tag);

/// True for the second of them.
[[nodiscard]] bool is_payload(int tag);

/// The tag of a publication's header: 8192, plus generation modulo 512 times 16, plus direction.
[[nodiscard]] int tag_of(const PublicationHeader& header);

/// The tag of the payload that follows the header.
[[nodiscard]] int payload_tag_of(const PublicationHeader& header);

/// The message before the payload, to be protected: the header and the code of the payload, which
/// travels as it is. Throws CommError when the direction does not fit.
[[nodiscard]] Bytes encode_publication_head(const PublicationHeader& header,
                                            const AuthenticationCode& payload_code);

/// Puts publications together from what comes from one rank on one communicator.
class PublicationReader {
 public:
  /// A head that has been opened; its payload comes next. Throws CommError when it has another
  /// size or does not fit its tag.
  void read_head(Rank source, int tag, std::span<const std::byte> head);
  /// True for the tag of the last head's payload, until take_header(). Another payload is one whose
  /// head was given up, or followed by another one.
  [[nodiscard]] bool expects(int tag) const;
  /// The code of the payload that is expected.
  [[nodiscard]] const AuthenticationCode& payload_code() const;
  /// The header of the payload that has come.
  [[nodiscard]] PublicationHeader take_header();

 private:
  struct Head {
    PublicationHeader header;
    AuthenticationCode payload_code;
  };
  std::optional<Head> head_;  // whose payload comes next
};

}  // namespace lipizz::comm
