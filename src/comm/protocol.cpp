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
constexpr auto kSameBuild = "; do all ranks run the same build?";

struct KindEntry {
  MessageKind kind;
  std::string_view name;
  std::size_t max_payload_bytes;
  Scope scope;
};

// A publication's scope is where it travels at first (scope_of_publication).
constexpr std::array kKinds{
    KindEntry{.kind = MessageKind::kPing,
              .name = "ping",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStatus,
              .name = "status",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kAssign,
              .name = "assign",
              .max_payload_bytes = 16 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kLog,
              .name = "log",
              .max_payload_bytes = 16 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kMetrics,
              .name = "metrics",
              .max_payload_bytes = 1 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kResult,
              .name = "result",
              .max_payload_bytes = 64 * kMiB,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kTask,
              .name = "task",
              .max_payload_bytes = 1 * kGiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kTaskDone,
              .name = "task-done",
              .max_payload_bytes = 16 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kFailure,
              .name = "failure",
              .max_payload_bytes = 1 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStop,
              .name = "stop",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kCellSamples,
              .name = "cell-samples",
              .max_payload_bytes = 1 * kGiB,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kDirective,
              .name = "directive",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kFlushed,
              .name = "flushed",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kSaved,
              .name = "saved",
              .max_payload_bytes = 1 * kMiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kSharedResource,
              .name = "shared-resource",
              .max_payload_bytes = 1 * kGiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kBegun,
              .name = "begun",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kCopy,
              .name = "copy",
              .max_payload_bytes = 1 * kGiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kHeld,
              .name = "held",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kStable,
              .name = "stable",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kTraffic,
              .name = "traffic",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kGlobal},
    KindEntry{.kind = MessageKind::kLost,
              .name = "lost",
              .max_payload_bytes = 64 * kKiB,
              .scope = Scope::kWorld},
    KindEntry{.kind = MessageKind::kPublication,
              .name = "publication",
              .max_payload_bytes = 1 * kGiB,
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

bool is_payload(int tag) {
  return tag >= kFirstPayloadTag;
}

}  // namespace

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::kWorld:
      return "WORLD";
    case Scope::kLocal:
      return "LOCAL";
    case Scope::kGlobal:
      return "GLOBAL";
  }
  return "?";
}

std::string_view name_of(MessageKind kind) {
  return entry_of(kind).name;
}

std::size_t max_payload_bytes(MessageKind kind) {
  return entry_of(kind).max_payload_bytes;
}

void check_payload(MessageKind kind, std::size_t n_bytes) {
  if (n_bytes <= max_payload_bytes(kind)) return;
  throw CommError("a " + std::string(name_of(kind)) + " message of " + std::to_string(n_bytes) +
                  " bytes is above the limit of " + std::to_string(max_payload_bytes(kind)));
}

Scope scope_of(MessageKind kind) {
  return entry_of(kind).scope;
}

MessageKind check_control(Scope scope, Rank source, int tag, std::size_t n_bytes) {
  const auto kind = static_cast<MessageKind>(tag);
  const bool is_control = static_cast<int>(kind) == tag && kind != MessageKind::kPublication;
  if (!is_control || find(kind) == nullptr || scope_of(kind) != scope) {
    throw CommError("expected a control message on " + std::string(to_string(scope)) +
                    " from rank " + std::to_string(source.value) + ", found tag " +
                    std::to_string(tag) + kSameBuild);
  }
  check_payload(kind, n_bytes);
  return kind;
}

Scope scope_of_publication(const PublicationHeader& header) {
  return header.incarnation == kFirstIncarnation ? scope_of(MessageKind::kPublication)
                                                 : Scope::kGlobal;
}

bool is_of_publication(int tag) {
  return tag >= kFirstHeaderTag;
}

int tag_of(const PublicationHeader& header) {
  return kFirstHeaderTag + static_cast<int>(header.generation % kGenerationsInTag * kMaxDirections +
                                            header.direction % kMaxDirections);
}

int payload_tag_of(const PublicationHeader& header) {
  return kFirstPayloadTag - kFirstHeaderTag + tag_of(header);
}

Bytes encode_publication_header(const PublicationHeader& header, std::size_t payload_bytes) {
  check_payload(MessageKind::kPublication, payload_bytes);
  if (header.direction >= kMaxDirections) {
    throw CommError("a publication's direction is below " + std::to_string(kMaxDirections) +
                    ", found " + std::to_string(header.direction));
  }
  ByteWriter writer;
  writer.value(header);
  return writer.take();
}

PublicationHeader decode_publication_header(Rank source, int tag,
                                            std::span<const std::byte> message) {
  ByteReader reader(message, "a publication's header");
  const auto header = reader.value<PublicationHeader>();
  reader.expect_end();
  if (header.direction >= kMaxDirections || tag_of(header) != tag) {
    throw CommError("a publication of cell " + std::to_string(header.source.value) +
                    ", generation " + std::to_string(header.generation) + ", direction " +
                    std::to_string(header.direction) + " came from rank " +
                    std::to_string(source.value) + " with tag " + std::to_string(tag) + kSameBuild);
  }
  return header;
}

void check_publication(Rank source, int tag, std::size_t n_bytes) {
  if (is_payload(tag)) return check_payload(MessageKind::kPublication, n_bytes);
  if (n_bytes == sizeof(PublicationHeader)) return;
  throw CommError("expected a publication's header of " +
                  std::to_string(sizeof(PublicationHeader)) + " bytes from rank " +
                  std::to_string(source.value) + ", found " + std::to_string(n_bytes) + kSameBuild);
}

std::optional<std::pair<PublicationHeader, Bytes>> PublicationReader::read(Rank source, int tag,
                                                                           Bytes message) {
  if (!is_payload(tag)) {
    header_ = decode_publication_header(source, tag, message);
    return std::nullopt;
  }
  if (!header_ || payload_tag_of(*header_) != tag) return std::nullopt;
  return std::pair(*std::exchange(header_, std::nullopt), std::move(message));
}

}  // namespace lipizz::comm
