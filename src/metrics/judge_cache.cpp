#include "metrics/judge_cache.hpp"

#include <unistd.h>

#include <fstream>
#include <optional>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::metrics {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20;  // no judge is near this

std::optional<Bytes> read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t n_bytes = fs::file_size(path, error);
  if (error || n_bytes > kMaxBytes) return std::nullopt;
  Bytes bytes(n_bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(n_bytes));
  if (!file) return std::nullopt;
  return bytes;
}

// Returns true when the file is there afterwards, whole.
bool write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path temporary = path.string() + ".tmp-" + std::to_string(::getpid());
  std::ofstream file(temporary, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) fs::rename(temporary, path, error);
  if (file && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace

Bytes cached(const fs::path& cache_dir, const std::string& name,
             const std::function<void(std::span<const std::byte>)>& accept,
             const std::function<Bytes()>& make, const Log& log) {
  if (cache_dir.empty()) return make();
  const fs::path path = cache_dir / name;
  if (std::optional<Bytes> bytes = read_file(path)) {
    try {
      accept(*bytes);
      return std::move(*bytes);
    } catch (const Error& error) {
      log(path.string() + " is replaced: " + error.what());
    }
  }
  Bytes bytes = make();
  if (!write_file(path, bytes)) {
    log("cannot keep " + path.string() + "; the next run makes it again");
  }
  return bytes;
}

}  // namespace lipizz::metrics
