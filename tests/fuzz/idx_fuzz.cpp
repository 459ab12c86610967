// IDX files: the bytes as they are, and compressed, so that what lies behind gzip is reached too.
#include <zlib.h>

#include <array>
#include <vector>

#include "data/idx.hpp"
#include "fuzz.hpp"

namespace {

using lipizz::data::IdxFile;

void read(std::span<const std::byte> content) {
  constexpr std::array<IdxFile::Range, 3> kImages{{{1, 1000}, {1, 28}, {1, 28}}};
  const lipizz::fuzz::MemoryFile file(content);
  lipizz::fuzz::accepts([&] {
    IdxFile idx(file.path(), kImages);
    std::size_t n = 1;
    for (const std::uint32_t dimension : idx.dimensions()) n *= dimension;
    std::vector<std::uint8_t> values(n);
    idx.read(values);
  });
}

std::vector<std::byte> compressed(std::span<const std::byte> content) {
  z_stream stream{};
  constexpr int kGzip = 16;
  deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY);
  std::vector<std::byte> out(deflateBound(&stream, content.size()));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const auto content = lipizz::fuzz::bytes(data, n_bytes);
  read(content);
  read(compressed(content));
  return 0;
}
