#include "core/hash.hpp"

#include <bit>
#include <cstring>

namespace lipizz {
namespace {

std::uint64_t mix_block(std::uint64_t word) {
  return std::rotl(word * 0x87c37b91114253d5ULL, 31) * 0x4cf5ad432745937fULL;
}

std::uint64_t finalise(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

}  // namespace

void Hasher::block(std::uint64_t word) {
  state_ = std::rotl(state_ ^ mix_block(word), 27) * 5 + 0x52dce729ULL;
}

void Hasher::bytes(std::span<const std::byte> data) {
  std::size_t i = 0;
  while (i < data.size() && n_bytes_ % 8 != 0) {  // fill up the word begun by an earlier call
    tail_ |= static_cast<std::uint64_t>(data[i++]) << (8 * (n_bytes_ % 8));
    if (++n_bytes_ % 8 == 0) {
      block(tail_);
      tail_ = 0;
    }
  }
  for (; i + 8 <= data.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, data.data() + i, 8);
    block(word);
    n_bytes_ += 8;
  }
  for (; i < data.size(); ++i) {
    tail_ |= static_cast<std::uint64_t>(data[i]) << (8 * (n_bytes_++ % 8));
  }
}

std::uint64_t Hasher::digest() const {
  const std::uint64_t tail = n_bytes_ % 8 != 0 ? mix_block(tail_) : 0;
  return finalise((state_ ^ tail) + n_bytes_);
}

std::string to_hex(std::uint64_t hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(16, '0');
  for (std::size_t i = 0; i < 16; ++i) hex[i] = kDigits[(hash >> (60 - 4 * i)) & 15];
  return hex;
}

}  // namespace lipizz
