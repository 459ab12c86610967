#include "comm/protocol.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
constexpr std::size_t kGiB = 1024 * kMiB;
constexpr std::uint32_t kGenerationsInTag = 512;
constexpr int kFirstHeaderTag = 8192;
constexpr int kFirstPayloadTag = kFirstHeaderTag + kGenerationsInTag * kMaxDirections;
constexpr std::size_t kHeadBytes = sizeof(PublicationHeader) + sizeof(AuthenticationCode);

enum class Parties : std::uint8_t { kFromMaster, kToMaster, kBetweenWorkers };

struct KindEntry {
  MessageKind kind;
  std::string_view name;
  std::size_t max_payload_bytes;
  Parties parties;
  Scope scope;
};

// A publication's scope is where it travels at first (scope_of_publication).
constexpr std::array kKinds{
    KindEntry{.kind = MessageKind::kPing,
              .name = "ping",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStatus,
              .name = "status",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kAssign,
              .name = "assign",
              .max_payload_bytes = 16 * kMiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kLog,
              .name = "log",
              .max_payload_bytes = 16 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kMetrics,
              .name = "metrics",
              .max_payload_bytes = 1 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kResult,
              .name = "result",
              .max_payload_bytes = 64 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kTask,
              .name = "task",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kTaskDone,
              .name = "task-done",
              .max_payload_bytes = 16 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kFailure,
              .name = "failure",
              .max_payload_bytes = 1 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStop,
              .name = "stop",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kCellSamples,
              .name = "cell-samples",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kBetweenWorkers,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kDirective,
              .name = "directive",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kFlushed,
              .name = "flushed",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kSaved,
              .name = "saved",
              .max_payload_bytes = 1 * kMiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kSharedResource,
              .name = "shared-resource",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kBetweenWorkers,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kBegun,
              .name = "begun",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kCopy,
              .name = "copy",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kBetweenWorkers,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kHeld,
              .name = "held",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStable,
              .name = "stable",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kTraffic,
              .name = "traffic",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kToMaster,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kLost,
              .name = "lost",
              .max_payload_bytes = 64 * kKiB,
              .parties = Parties::kFromMaster,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kCellPart,
              .name = "cell-part",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kBetweenWorkers,
              .scope = Scope::kCell},
    KindEntry{.kind = MessageKind::kPublication,
              .name = "publication",
              .max_payload_bytes = 1 * kGiB,
              .parties = Parties::kBetweenWorkers,
              .scope = Scope::kLocal},  // in the first incarnation: scope_of_publication()
};

const KindEntry* find(MessageKind kind) {
  const auto* entry = std::ranges::find(kKinds, kind, &KindEntry::kind);
  return entry == kKinds.end() ? nullptr : entry;
}

const KindEntry& entry_of(MessageKind kind) {
  const KindEntry* entry = find(kind);
  if (entry == nullptr) {
    throw InternalError("no message kind has the value " + std::to_string(static_cast<int>(kind)));
  }
  return *entry;
}

// No kind at all where the tag is no control message's.
MessageKind control_kind_of(int tag) {
  const auto kind = static_cast<MessageKind>(tag);
  const bool is_control = static_cast<int>(kind) == tag && kind != MessageKind::kPublication;
  return is_control ? kind : MessageKind{};
}

bool say_this(Parties parties, Rank source, Rank destination) {
  switch (parties) {
    case Parties::kFromMaster:
      return source == kMaster && destination != kMaster;
    case Parties::kToMaster:
      return source != kMaster && destination == kMaster;
    case Parties::kBetweenWorkers:
      return source != kMaster && destination != kMaster;
  }
  return false;
}

}  // namespace

std::string_view name_of(MessageKind kind) {
  return entry_of(kind).name;
}

std::size_t max_payload_bytes(MessageKind kind) {
  return entry_of(kind).max_payload_bytes;
}

Scope scope_of(MessageKind kind) {
  return entry_of(kind).scope;
}

void check_sent(MessageKind kind, Rank source, Rank destination, std::size_t n_bytes) {
  const KindEntry& entry = entry_of(kind);
  if (!say_this(entry.parties, source, destination)) {
    throw InternalError("rank " + std::to_string(source.value) + " never sends a " +
                        std::string(entry.name) + " message to rank " +
                        std::to_string(destination.value));
  }
  if (n_bytes > entry.max_payload_bytes) {
    throw CommError("a " + std::string(entry.name) + " message of " + std::to_string(n_bytes) +
                    " bytes is above the limit of " + std::to_string(entry.max_payload_bytes));
  }
}

bool is_admissible(const Route& route, std::size_t n_bytes) {
  const bool is_publication = is_of_publication(route.tag);
  const KindEntry* entry =
      find(is_publication ? MessageKind::kPublication : control_kind_of(route.tag));
  if (entry == nullptr || !say_this(entry->parties, route.source, route.destination)) return false;
  if (is_publication) {
    if (route.scope == Scope::kWorld) return false;
    return is_payload(route.tag) ? n_bytes <= entry->max_payload_bytes
                                 : n_bytes == kHeadBytes + Authenticator::kAddedBytes;
  }
  return route.scope == entry->scope &&
         n_bytes <= entry->max_payload_bytes + Authenticator::kAddedBytes;
}

std::string unauthenticated_text(Rank claimed_source) {
  return "a message that says it is from rank " + std::to_string(claimed_source.value) +
         " bears no code of this run and is dropped; another program reaches this process, and "
         "result.json will count what it sends";
}

Scope scope_of_publication(const PublicationHeader& header) {
  return header.incarnation == kFirstIncarnation ? scope_of(MessageKind::kPublication)
                                                 : Scope::kGlobal;
}

bool is_of_publication(int tag) {
  return tag >= kFirstHeaderTag;
}

bool is_payload(int tag) {
  return tag >= kFirstPayloadTag;
}

int tag_of(const PublicationHeader& header) {
  return kFirstHeaderTag + static_cast<int>(header.generation % kGenerationsInTag * kMaxDirections +
                                            header.direction % kMaxDirections);
}

int payload_tag_of(const PublicationHeader& header) {
  return kFirstPayloadTag - kFirstHeaderTag + tag_of(header);
}

Bytes encode_publication_head(const PublicationHeader& header,
                              const AuthenticationCode& payload_code) {
  if (header.direction >= kMaxDirections) {
    throw CommError("a publication's direction is below " + std::to_string(kMaxDirections) +
                    ", found " + std::to_string(header.direction));
  }
  ByteWriter writer;
  writer.value(header);
  writer.value(payload_code);
  return writer.take();
}

void PublicationReader::read_head(Rank source, int tag, std::span<const std::byte> message) {
  ByteReader reader(message, "a publication's head");
  const auto header = reader.value<PublicationHeader>();
  const auto payload_code = reader.value<AuthenticationCode>();
  reader.expect_end();
  if (header.direction >= kMaxDirections || tag_of(header) != tag) {
    throw CommError("a publication of cell " + std::to_string(header.source.value) +
                    ", generation " + std::to_string(header.generation) + ", direction " +
                    std::to_string(header.direction) + " came from rank " +
                    std::to_string(source.value) + " with tag " + std::to_string(tag) +
                    "; do all ranks run the same build?");
  }
  head_ = {header, payload_code};
}

bool PublicationReader::expects(int tag) const {
  return head_ && payload_tag_of(head_->header) == tag;
}

const AuthenticationCode& PublicationReader::payload_code() const {
  return head_.value().payload_code;
}

PublicationHeader PublicationReader::take_header() {
  const PublicationHeader header = head_.value().header;
  head_.reset();
  return header;
}

}  // namespace lipizz::comm
