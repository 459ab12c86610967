#include "data/files.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_open(const fs::path& path, const std::string& reason) {
  throw DataError("cannot open " + path.string() + ": " + reason +
                  "; name the folder of the datasets with --data-dir or LIPIZZ_DATA_DIR, or "
                  "download them with scripts/fetch-data.sh");
}

}  // namespace

fs::path dataset_folder(std::string_view name, const OpenOptions& options) {
  if (!options.data_dir.empty()) return fs::path(options.data_dir) / name;
  const std::string text(name);
  throw DataError("dataset " + text +
                  " is read from files, but no folder is given; name the folder that holds " +
                  text +
                  "/ with --data-dir or LIPIZZ_DATA_DIR, or download it with "
                  "scripts/fetch-data.sh");
}

std::ifstream open_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail_to_open(path, std::generic_category().message(EISDIR));
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // opening a pipe would wait for ever
    fail_to_open(path, "it is no regular file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_to_open(path, std::generic_category().message(errno != 0 ? errno : EIO));
  return file;
}

std::vector<std::uint8_t> read_file(const fs::path& path, std::size_t n_most) {
  std::ifstream file = open_file(path);
  std::error_code failure;
  const std::uintmax_t n_bytes = fs::file_size(path, failure);
  if (failure) refuse_file(path, "cannot tell its size: " + failure.message());
  if (n_bytes > n_most) {
    refuse_file(path, "expected at most " + std::to_string(n_most) + " bytes, found " +
                          std::to_string(n_bytes));
  }
  std::vector<std::uint8_t> bytes(n_bytes);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(n_bytes));
  if (!file) refuse_file(path, "it cannot be read to its end");
  return bytes;
}

std::vector<fs::path> list_files(const fs::path& folder, std::string_view extension) {
  std::error_code failure;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    if (entry->path().extension() == extension) files.push_back(entry->path());
  }
  if (failure) fail_to_open(folder, failure.message());
  if (files.empty()) fail_to_open(folder, "it holds no *" + std::string(extension));
  std::ranges::sort(files);
  return files;
}

void refuse_file(const fs::path& path, const std::string& what) {
  throw DataError(path.string() + ": " + what +
                  "; replace the file, scripts/fetch-data.sh downloads and checks it");
}

}  // namespace lipizz::data
