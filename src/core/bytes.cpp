#include "core/bytes.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace lipizz {

Bytes copy_of(std::span<const std::byte> bytes) {
  Bytes copy;
  append(copy, bytes);
  return copy;
}

void make_room(Bytes& bytes, std::size_t n_bytes) {
  if (n_bytes <= bytes.capacity()) return;
  Bytes moved;
  moved.reserve(n_bytes);
  moved.resize(bytes.size());
  if (!bytes.empty()) std::memcpy(moved.data(), bytes.data(), bytes.size());
  bytes.swap(moved);
}

void append(Bytes& bytes, std::span<const std::byte> added) {
  if (added.empty()) return;
  const std::size_t n_before = bytes.size();
  const std::size_t n_after = n_before + added.size();
  if (n_after > bytes.capacity()) make_room(bytes, std::max(n_after, 2 * bytes.capacity()));
  bytes.resize(n_after);
  std::memcpy(bytes.data() + n_before, added.data(), added.size());
}

void ByteWriter::raw(const void* data, std::size_t n_bytes) {
  append(bytes_, {static_cast<const std::byte*>(data), n_bytes});
}

std::string ByteReader::text() {
  const std::span<const std::byte> data = counted(1);
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

Bytes ByteReader::bytes() {
  return copy_of(counted(1));
}

void ByteReader::expect_end() const {
  if (!rest_.empty()) fail_size(0, rest_.size());
}

std::span<const std::byte> ByteReader::take(std::size_t n_bytes) {
  if (n_bytes > rest_.size()) fail_size(n_bytes, rest_.size());
  const auto taken = rest_.first(n_bytes);
  rest_ = rest_.subspan(n_bytes);
  return taken;
}

std::span<const std::byte> ByteReader::counted(std::size_t element_bytes) {
  const auto count = value<std::uint64_t>();
  if (count > rest_.size() / element_bytes) {
    throw CommError(what_ + ": " + std::to_string(count) + " elements announced, room for " +
                    std::to_string(rest_.size() / element_bytes));
  }
  return take(static_cast<std::size_t>(count) * element_bytes);
}

void ByteReader::fail_size(std::size_t expected, std::size_t found) const {
  throw CommError(what_ + ": expected " + std::to_string(expected) + " bytes, found " +
                  std::to_string(found));
}

}  // namespace lipizz
