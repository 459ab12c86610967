#include "data/files.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

// The folder of a dataset that this path lies in, or is; empty where it is in none.
fs::path folder_of_dataset(fs::path path) {
  for (; path.has_relative_path(); path = path.parent_path()) {
    const std::string name = path.filename();
    for (const DatasetEntry& entry : datasets()) {
      if (entry.origin == Origin::kDataDir && entry.name == name) return path;
    }
  }
  return {};
}

std::string fetch_command(const fs::path& folder, std::string_view dataset) {
  return "scripts/fetch-data.sh " + (folder.empty() ? "." : folder.string()) + " " +
         std::string(dataset);
}

// The command that downloads the file.
std::string command_to_fetch(const fs::path& path) {
  const fs::path folder = folder_of_dataset(path);
  if (folder.empty()) return fetch_command("FOLDER", "NAME");
  return fetch_command(folder.parent_path(), folder.filename().string());
}

// The advice about a file that is not there.
std::string way_out(const fs::path& path) {
  std::error_code none;
  const fs::path uncompressed = fs::path(path).replace_extension();
  if (path.extension() == ".gz" && fs::is_regular_file(uncompressed, none)) {
    return uncompressed.filename().string() + " beside it is not compressed: type `gzip -k " +
           uncompressed.string() + "`";
  }
  const fs::path folder = folder_of_dataset(path);
  const fs::path above = folder.parent_path();
  if (!folder.empty() && above.filename() == folder.filename()) {
    return "the folder of the datasets is the one above: --data-dir " +
           above.parent_path().string();
  }
  return "name the folder of the datasets with --data-dir or LIPIZZ_DATA_DIR, or download them "
         "with " +
         command_to_fetch(path);
}

[[noreturn]] void fail_to_open(const fs::path& path, const std::string& reason) {
  const bool is_refused = reason == std::generic_category().message(EACCES);
  throw DataError(
      "cannot open " + path.string() + ": " + reason + "; " +
      (is_refused ? "it and all folders above it must be readable to this user" : way_out(path)));
}

}  // namespace

fs::path dataset_folder(std::string_view name, const OpenOptions& options) {
  if (!options.data_dir.empty()) return fs::path(options.data_dir) / name;
  const std::string text(name);
  throw DataError("dataset " + text +
                  " is read from files, but no folder is given; name the folder that holds " +
                  text + "/ with --data-dir or LIPIZZ_DATA_DIR, or download it with " +
                  fetch_command("FOLDER", name));
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
  throw DataError(path.string() + ": " + what + "; replace the file, " + command_to_fetch(path) +
                  " downloads and checks it");
}

}  // namespace lipizz::data
