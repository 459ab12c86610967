#include "data/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "data/files.hpp"

namespace lipizz::data {
namespace {

constexpr std::size_t kCompressedBytes = 1U << 16;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib's flag for a gzip header and checksum

}  // namespace

GzipFile::GzipFile(const std::filesystem::path& path)
    : path_(path),
      file_(open_file(path)),
      compressed_(kCompressedBytes),
      stream_(std::make_unique<z_stream_s>()) {
  const int result = inflateInit2(stream_.get(), kGzipOnly);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK) fail("zlib cannot be set up");
}

GzipFile::~GzipFile() {
  inflateEnd(stream_.get());
}

void GzipFile::read(std::span<std::uint8_t> out) {
  const std::size_t n_read = inflate_some(out);
  n_bytes_read_ += n_read;
  if (n_read < out.size()) {
    fail("expected " + std::to_string(n_bytes_read_ - n_read + out.size()) +
         " bytes of content, found " + std::to_string(n_bytes_read_));
  }
}

void GzipFile::expect_end() {
  std::uint8_t extra = 0;
  if (inflate_some({&extra, 1}) != 0) {
    fail("expected " + std::to_string(n_bytes_read_) + " bytes of content, found more");
  }
  if (stream_->avail_in != 0 || file_.peek() != std::ifstream::traits_type::eof()) {
    fail("found more bytes after the end of its compressed content");
  }
}

void GzipFile::fail(const std::string& what) const {
  refuse_file(path_, what);
}

std::size_t GzipFile::inflate_some(std::span<std::uint8_t> out) {
  std::size_t n_done = 0;
  while (n_done < out.size() && !ended_) {
    if (stream_->avail_in == 0) refill();
    const std::size_t n_wanted =
        std::min<std::size_t>(out.size() - n_done, std::numeric_limits<uInt>::max());
    stream_->next_out = out.data() + n_done;
    stream_->avail_out = static_cast<uInt>(n_wanted);
    const int result = inflate(stream_.get(), Z_NO_FLUSH);
    n_done += n_wanted - stream_->avail_out;
    ended_ = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && !ended_) {
      const char* reason = stream_->msg != nullptr ? stream_->msg : "unknown reason";
      fail(std::string("damaged gzip content (") + reason + ") after " +
           std::to_string(n_bytes_read_ + n_done) + " bytes" +
           (n_bytes_read_ + n_done == 0 ? ", as if gzip had not compressed it" : ""));
    }
  }
  return n_done;
}

void GzipFile::refill() {
  file_.read(reinterpret_cast<char*>(compressed_.data()),
             static_cast<std::streamsize>(compressed_.size()));
  const auto n_bytes = static_cast<std::size_t>(file_.gcount());
  if (n_bytes == 0) fail("truncated: the file ends within its compressed content");
  stream_->next_in = compressed_.data();
  stream_->avail_in = static_cast<uInt>(n_bytes);
}

}  // namespace lipizz::data
