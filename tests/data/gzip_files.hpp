#pragma once

#include <zlib.h>

#include <cstdint>
#include <vector>

#include "data/support.hpp"

namespace lipizz::data {

/// The bytes of a .gz file with this content.
inline Octets gzipped(const Octets& content) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  Octets compressed(deflateBound(&stream, content.size()));
  stream.next_in = const_cast<std::uint8_t*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = compressed.data();
  stream.avail_out = static_cast<uInt>(compressed.size());
  deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

/// An IDX header of unsigned bytes, then `values`.
inline Octets idx(const std::vector<std::uint32_t>& dimensions, const Octets& values) {
  Octets bytes{0, 0, 8, static_cast<std::uint8_t>(dimensions.size())};
  for (const std::uint32_t dimension : dimensions) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<std::uint8_t>(dimension >> shift));
    }
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

/// Bytes that hardly compress, so that a file of them can be cut anywhere.
inline Octets noise(std::size_t n) {
  Octets bytes(n);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

}  // namespace lipizz::data
