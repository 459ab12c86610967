#include "checkpoint/safetensors.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "checkpoint/atomic_file.hpp"
#include "checkpoint/tensor_header.hpp"
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

Bytes read_whole(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw CheckpointError(path.string() + ": expected a file, found none; check the path");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw CheckpointError(path.string() + ": cannot be read: " +
                          std::generic_category().message(errno) + "; check its permissions");
  }
  Bytes bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

void put(std::span<const std::byte> part, std::span<std::byte>& rest) {
  std::ranges::copy(part, rest.begin());
  rest = rest.subspan(part.size());
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

std::string_view take_header(std::span<const std::byte>& rest, const std::string& place) {
  std::uint64_t n_header = 0;
  std::memcpy(&n_header, take(rest, sizeof n_header, place).data(), sizeof n_header);
  const std::uint64_t n_most = std::min<std::uint64_t>(kMaxHeaderBytes, rest.size());
  if (n_header > n_most) {
    refuse(place, "expected a header of at most " + std::to_string(n_most) + " bytes, found " +
                      std::to_string(n_header) + " announced");
  }
  const auto text = take(rest, n_header, place);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
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
  for (const TensorView& tensor : tensors) {
    LIPIZZ_ASSERT(!tensor.data.empty() && tensor.data.size() == n_bytes_of(tensor));
    n_bytes += tensor.data.size();
  }
  Metadata hashed = metadata;
  hashed[kHashKey] = hash_of(tensors, metadata);
  const std::string header = format_header(tensors, hashed);
  const std::uint64_t n_header = header.size();
  Bytes bytes(sizeof n_header + n_header + n_bytes);
  std::span<std::byte> rest(bytes);
  put(std::as_bytes(std::span(&n_header, 1)), rest);
  put(std::as_bytes(std::span(header)), rest);
  for (const TensorView& tensor : tensors) put(tensor.data, rest);
  return bytes;
}

TensorFile decode_tensors(Bytes bytes, const std::string& place) {
  std::span<const std::byte> rest = bytes;
  const std::string_view text = take_header(rest, place);
  TensorHeader header = parse_header(text, rest.size(), place);
  for (std::size_t i = 0; i < header.tensors.size(); ++i) {
    header.tensors[i].data = take(rest, header.n_bytes[i], place);
  }
  check_hash(header, place);
  return {std::move(header.metadata), std::move(header.tensors), std::move(bytes)};
}

void write_tensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                   const Metadata& metadata) {
  write_atomically(path, encode_tensors(tensors, metadata));
}

TensorFile read_tensors(const std::filesystem::path& path) {
  return decode_tensors(read_whole(path), path.string());
}

}  // namespace lipizz::checkpoint
