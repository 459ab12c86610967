#include "data/cache.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

std::optional<Bytes> read_file(const fs::path& path, std::uint64_t n_most_bytes) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t n_bytes = fs::file_size(path, error);
  if (error || n_bytes > n_most_bytes) return std::nullopt;
  Bytes bytes(n_bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(n_bytes));
  if (!file) return std::nullopt;
  return bytes;
}

// The reason why it cannot be written; empty when it is there, whole.
std::string write_file(const fs::path& path, std::span<const std::byte> bytes) {
  try {
    make_folders(path.parent_path());
    write_atomically(path, bytes);
    return {};
  } catch (const CheckpointError& error) {
    return error.what();
  }
}

std::vector<fs::path> folders_of(const CacheFolders& cache) {
  std::vector<fs::path> folders = cache.lasting;
  if (!cache.beside_run.empty()) folders.push_back(cache.beside_run);
  return folders;
}

}  // namespace

std::optional<Bytes> find_in_cache(const CacheFolders& cache, const std::string& name,
                                   const std::function<void(std::span<const std::byte>)>& accept,
                                   const Log& log, std::uint64_t n_most_bytes) {
  for (const fs::path& folder : folders_of(cache)) {
    std::optional<Bytes> bytes = read_file(folder / name, n_most_bytes);
    if (!bytes) continue;
    try {
      accept(*bytes);
      return bytes;
    } catch (const Error& error) {
      log.info((folder / name).string() + " is not used: " + error.what());
    }
  }
  return std::nullopt;
}

void keep_in_cache(const CacheFolders& cache, const std::string& name,
                   std::span<const std::byte> bytes, const Log& log) {
  const std::vector<fs::path> folders = folders_of(cache);
  std::vector<std::string> reasons;
  if (cache.lasting.empty()) {
    reasons.emplace_back("LIPIZZ_CACHE_DIR, XDG_CACHE_HOME and HOME name no folder");
  }
  auto folder = folders.begin();
  for (; folder != folders.end(); ++folder) {
    const std::string reason = write_file(*folder / name, bytes);
    if (reason.empty()) break;
    reasons.push_back("it cannot be written to " + folder->string() + " (" + reason + ")");
  }
  if (folders.empty() || reasons.empty()) return;
  const std::string where = folder == folders.end()
                                ? " is made again in each run, since "
                                : " is kept in " + folder->string() + ", since ";
  log.warning(name + where + join(reasons) +
              "; set LIPIZZ_CACHE_DIR to a folder that lasts and can be written to");
}

Bytes cached(const CacheFolders& cache, const std::string& name,
             const std::function<void(std::span<const std::byte>)>& accept,
             const std::function<Bytes()>& make, const Log& log) {
  if (std::optional<Bytes> found = find_in_cache(cache, name, accept, log))
    return std::move(*found);
  Bytes bytes = make();
  keep_in_cache(cache, name, bytes, log);
  return bytes;
}

}  // namespace lipizz::data
