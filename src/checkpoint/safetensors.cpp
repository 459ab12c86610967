#include "checkpoint/safetensors.hpp"

#include <algorithm>
#include <cstring>

#include "checkpoint/source_file.hpp"
#include "checkpoint/tensor_header.hpp"
#include "core/atomic_file.hpp"
#include "core/bytes.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::checkpoint {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr const char* kHashKey = "lipizz.hash";

void hash_text(Hasher& hasher, std::string_view text) {
  hasher.value(static_cast<std::uint64_t>(text.size()));
  hasher.text(text);
}

// The hash covers everything that a file says: metadata, names, types, shapes and data.
std::string hash_of(std::span<const TensorView> tensors, const Metadata& metadata) {
  Hasher hasher;
  hasher.value(static_cast<std::uint64_t>(metadata.size()));
  for (const auto& [key, text] : metadata) {
    hash_text(hasher, key);
    hash_text(hasher, text);
  }
  for (const TensorView& tensor : tensors) {
    hash_text(hasher, tensor.name);
    hash_text(hasher, to_string(tensor.type));
    hasher.value(static_cast<std::uint64_t>(tensor.shape.size()));
    hasher.values(std::span<const std::uint64_t>(tensor.shape));
    hasher.bytes(tensor.data);
  }
  return to_hex(hasher.digest());
}

[[maybe_unused]] std::size_t n_bytes_of(const TensorView& tensor) {
  std::size_t n_bytes = size_of(tensor.type);
  for (const std::uint64_t dimension : tensor.shape) n_bytes *= dimension;
  return n_bytes;
}

std::span<const std::byte> take(std::span<const std::byte>& rest, std::uint64_t n_bytes,
                                const std::string& place) {
  if (n_bytes > rest.size()) {
    refuse(place, "expected " + std::to_string(n_bytes) + " more bytes, found " +
                      std::to_string(rest.size()));
  }
  const auto taken = rest.first(n_bytes);
  rest = rest.subspan(n_bytes);
  return taken;
}

// The length of the header, of a file with so many bytes behind that number.
std::uint64_t header_length(std::span<const std::byte> start, std::uint64_t n_rest,
                            const std::string& place) {
  std::uint64_t n_header = 0;
  std::memcpy(&n_header, start.data(), sizeof n_header);
  const std::uint64_t n_most = std::min(kMaxHeaderBytes, n_rest);
  if (n_header > n_most) {
    refuse(place, "expected a header of at most " + std::to_string(n_most) + " bytes, found " +
                      std::to_string(n_header) + " announced");
  }
  return n_header;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Before memory is taken for what it announces. A file that is too short is told of where it is
// decoded.
void check_header(const SourceFile& file) {
  const Bytes length = file.first(sizeof(std::uint64_t));
  if (length.size() < sizeof(std::uint64_t)) return;
  const std::uint64_t n_rest = file.size() - length.size();
  const std::uint64_t n_header = header_length(length, n_rest, file.place());
  const Bytes start = file.first(length.size() + n_header);
  const auto header = std::span(start).subspan(std::min(length.size(), start.size()));
  parse_header(text_of(header), n_rest - n_header, file.place());
}

// All that stands before the data.
Bytes head_of(std::span<const TensorView> tensors, const Metadata& metadata) {
  for ([[maybe_unused]] const TensorView& tensor : tensors) {
    LIPIZZ_ASSERT(!tensor.data.empty() && tensor.data.size() == n_bytes_of(tensor));
  }
  Metadata hashed = metadata;
  hashed[kHashKey] = hash_of(tensors, metadata);
  ByteWriter out;
  out.text(format_header(tensors, hashed));
  return out.take();
}

void check_hash(TensorHeader& header, const std::string& place) {
  const auto found = header.metadata.extract(kHashKey);
  if (found.empty()) refuse(place, "expected a hash in its metadata, found none");
  const std::string expected = hash_of(header.tensors, header.metadata);
  if (found.mapped() != expected) {
    refuse(place, "expected hash " + found.mapped() + ", found content of hash " + expected);
  }
}

}  // namespace

Bytes encode_tensors(std::span<const TensorView> tensors, const Metadata& metadata) {
  std::size_t n_bytes = 0;
  for (const TensorView& tensor : tensors) n_bytes += tensor.data.size();
  const Bytes head = head_of(tensors, metadata);
  ByteWriter out(head.size() + n_bytes);
  out.raw(head.data(), head.size());
  for (const TensorView& tensor : tensors) out.raw(tensor.data.data(), tensor.data.size());
  return out.take();
}

TensorFile decode_tensors(Bytes bytes, const std::string& place) {
  std::span<const std::byte> rest = bytes;
  const auto start = take(rest, sizeof(std::uint64_t), place);
  const auto text = take(rest, header_length(start, rest.size(), place), place);
  TensorHeader header = parse_header(text_of(text), rest.size(), place);
  for (std::size_t i = 0; i < header.tensors.size(); ++i) {
    header.tensors[i].data = take(rest, header.n_bytes[i], place);
  }
  check_hash(header, place);
  return {std::move(header.metadata), std::move(header.tensors), std::move(bytes)};
}

void write_tensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                   const Metadata& metadata) {
  const Bytes head = head_of(tensors, metadata);
  AtomicFile file(path);
  file.write(head);
  for (const TensorView& tensor : tensors) file.write(tensor.data);
  file.commit();
}

TensorFile read_tensors(const std::filesystem::path& path) {
  const SourceFile file(path);
  check_header(file);
  return decode_tensors(file.first(file.size()), file.place());
}

}  // namespace lipizz::checkpoint
