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
constexpr std::uint32_t kGenerationsInTag = 1024;
constexpr int kFirstPayloadTag = kGenerationsInTag * kMaxDirections;
constexpr auto kSameBuild = "; do all ranks run the same build?";

struct KindEntry {
  MessageKind kind;
  std::string_view name;
  std::size_t max_payload_bytes;
};

constexpr std::array kKinds{
    KindEntry{MessageKind::kPing, "ping", 64 * kKiB},
    KindEntry{MessageKind::kStatus, "status", 64 * kKiB},
    KindEntry{MessageKind::kAssign, "assign", 16 * kMiB},
    KindEntry{MessageKind::kLog, "log", 16 * kMiB},
    KindEntry{MessageKind::kMetrics, "metrics", 1 * kMiB},
    KindEntry{MessageKind::kResult, "result", 64 * kMiB},
    KindEntry{MessageKind::kTask, "task", 1 * kGiB},
    KindEntry{MessageKind::kTaskDone, "task-done", 16 * kMiB},
    KindEntry{MessageKind::kFailure, "failure", 1 * kMiB},
    KindEntry{MessageKind::kStop, "stop", 64 * kKiB},
    KindEntry{MessageKind::kCellSamples, "tiles", 1 * kGiB},
    KindEntry{MessageKind::kDirective, "course", 64 * kKiB},
    KindEntry{MessageKind::kPaused, "holding", 64 * kKiB},
    KindEntry{MessageKind::kSaved, "saved", 1 * kMiB},
    KindEntry{MessageKind::kSharedResource, "material", 1 * kGiB},
    KindEntry{MessageKind::kBegun, "begun", 64 * kKiB},
    KindEntry{MessageKind::kCopy, "copy", 1 * kGiB},
    KindEntry{MessageKind::kHeld, "held", 64 * kKiB},
    KindEntry{MessageKind::kStable, "safe", 64 * kKiB},
    KindEntry{MessageKind::kGenome, "genome", 1 * kGiB},
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

MessageKind check_control(Rank source, int tag, std::size_t n_bytes) {
  const auto kind = static_cast<MessageKind>(tag);
  if (static_cast<int>(kind) != tag || kind == MessageKind::kGenome || find(kind) == nullptr) {
    throw CommError("expected a control message from rank " + std::to_string(source.value) +
                    ", found tag " + std::to_string(tag) + kSameBuild);
  }
  check_payload(kind, n_bytes);
  return kind;
}

int tag_of(const PublicationHeader& header) {
  return static_cast<int>(header.generation % kGenerationsInTag * kMaxDirections +
                          header.direction % kMaxDirections);
}

int payload_tag_of(const PublicationHeader& header) {
  return kFirstPayloadTag + tag_of(header);
}

Bytes encode_publication_header(const PublicationHeader& header, std::size_t payload_bytes) {
  check_payload(MessageKind::kGenome, payload_bytes);
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
  if (is_payload(tag)) return check_payload(MessageKind::kGenome, n_bytes);
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
