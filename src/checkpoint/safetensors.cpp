#include "checkpoint/safetensors.hpp"

#include <algorithm>
#include <cerrno>
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

// Of everything that a file says: metadata, names, types, shapes and data.
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
  for (const std::uint64_t extent : tensor.shape) n_bytes *= extent;
  return n_bytes;
}

// A file read front to back, never beyond the size that it had when it was opened.
class Source {
 public:
  explicit Source(const std::filesystem::path& path) : place_(path.string()) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      throw CheckpointError(place_ + ": expected a file, found none; check the path");
    }
    file_.open(path, std::ios::binary);
    if (!file_) {
      throw CheckpointError(place_ + ": cannot be read: " + std::generic_category().message(errno) +
                            "; check its permissions");
    }
    n_left_ = std::filesystem::file_size(path);
  }

  void read(void* out, std::uint64_t n_bytes) {
    if (n_bytes > n_left_ ||
        !file_.read(static_cast<char*>(out), static_cast<std::streamsize>(n_bytes))) {
      refuse(place_, "expected " + std::to_string(n_bytes) + " more bytes, found " +
                         std::to_string(n_left_));
    }
    n_left_ -= n_bytes;
  }

  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] std::uint64_t n_left() const { return n_left_; }

 private:
  std::string place_;
  std::ifstream file_;
  std::uint64_t n_left_ = 0;
};

std::string read_header_text(Source& source) {
  std::uint64_t n_header = 0;
  source.read(&n_header, sizeof n_header);
  const std::uint64_t n_most = std::min(kMaxHeaderBytes, source.n_left());
  if (n_header > n_most) {
    refuse(source.place(), "expected a header of at most " + std::to_string(n_most) +
                               " bytes, found " + std::to_string(n_header) + " announced");
  }
  std::string text(n_header, '\0');
  source.read(text.data(), n_header);
  return text;
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

void write_tensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                   const Metadata& metadata) {
  for (const TensorView& tensor : tensors) {
    LIPIZZ_ASSERT(!tensor.data.empty() && tensor.data.size() == n_bytes_of(tensor));
  }
  Metadata hashed = metadata;
  hashed[kHashKey] = hash_of(tensors, metadata);
  const std::string header = format_header(tensors, hashed);
  const std::uint64_t n_header = header.size();
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&n_header, 1)));
  file.write(std::as_bytes(std::span(header)));
  for (const TensorView& tensor : tensors) file.write(tensor.data);
  file.commit();
}

TensorFile read_tensors(const std::filesystem::path& path) {
  Source source(path);
  const std::string text = read_header_text(source);
  TensorHeader header = parse_header(text, source.n_left(), source.place());
  Bytes data(source.n_left());
  source.read(data.data(), data.size());
  std::span<const std::byte> rest = data;
  for (std::size_t i = 0; i < header.tensors.size(); ++i) {
    header.tensors[i].data = rest.first(header.n_bytes[i]);
    rest = rest.subspan(header.n_bytes[i]);
  }
  check_hash(header, source.place());
  return {std::move(header.metadata), std::move(header.tensors), std::move(data)};
}

}  // namespace lipizz::checkpoint
