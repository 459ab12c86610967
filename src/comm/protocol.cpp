#include "comm/protocol.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
constexpr std::size_t kGiB = 1024 * kMiB;
constexpr std::uint32_t kGenerationsInTag = 2048;
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
    KindEntry{MessageKind::kTiles, "tiles", 1 * kGiB},
    KindEntry{MessageKind::kCourse, "course", 64 * kKiB},
    KindEntry{MessageKind::kHolding, "holding", 64 * kKiB},
    KindEntry{MessageKind::kSaved, "saved", 1 * kMiB},
    KindEntry{MessageKind::kMaterial, "material", 1 * kGiB},
    KindEntry{MessageKind::kBegun, "begun", 64 * kKiB},
    KindEntry{MessageKind::kCopy, "copy", 1 * kGiB},
    KindEntry{MessageKind::kHeld, "held", 64 * kKiB},
    KindEntry{MessageKind::kSafe, "safe", 64 * kKiB},
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

Bytes encode_publication(const PublicationHeader& header, std::span<const std::byte> payload) {
  check_payload(MessageKind::kGenome, payload.size());
  if (header.direction >= kMaxDirections) {
    throw CommError("a publication's direction is below " + std::to_string(kMaxDirections) +
                    ", found " + std::to_string(header.direction));
  }
  Bytes message(sizeof header + payload.size());
  std::memcpy(message.data(), &header, sizeof header);
  std::ranges::copy(payload, message.begin() + sizeof header);
  return message;
}

void check_publication(Rank source, std::size_t n_bytes) {
  if (n_bytes < sizeof(PublicationHeader)) {
    throw CommError("expected a publication of at least " +
                    std::to_string(sizeof(PublicationHeader)) + " bytes from rank " +
                    std::to_string(source.value) + ", found " + std::to_string(n_bytes) +
                    kSameBuild);
  }
  check_payload(MessageKind::kGenome, n_bytes - sizeof(PublicationHeader));
}

std::pair<PublicationHeader, Bytes> decode_publication(Rank source, int tag, Bytes message) {
  const auto header = ByteReader(message, "a publication").value<PublicationHeader>();
  if (header.direction >= kMaxDirections || tag_of(header) != tag) {
    throw CommError("a publication of cell " + std::to_string(header.source.value) +
                    ", generation " + std::to_string(header.generation) + ", direction " +
                    std::to_string(header.direction) + " came from rank " +
                    std::to_string(source.value) + " with tag " + std::to_string(tag) + kSameBuild);
  }
  message.erase(message.begin(), message.begin() + sizeof header);
  return {header, std::move(message)};
}

}  // namespace lipizz::comm
