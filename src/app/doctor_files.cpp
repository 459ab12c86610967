#include "app/doctor_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "data/dataset.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr double kLittleRoom = 1e9;           // bytes, for checkpoints and pictures of a run
constexpr double kSlowDisk_s = 0.5;           // to put a file on it
constexpr double kLittleSharedMemory = 64e6;  // a container's default; Open MPI takes 4 MB a rank
constexpr std::size_t kLongFolder = 60;       // the names of sockets end at 107 characters

fs::path nearest_above(fs::path folder) {
  std::error_code none;
  while (!fs::exists(folder, none) && folder.has_relative_path()) folder = folder.parent_path();
  return folder.empty() ? fs::path("/") : folder;
}

// A file that is removed again, whatever happens.
class ProbeFile {
 public:
  explicit ProbeFile(const fs::path& folder)
      : path_(folder / fmt::format(".lipizz-doctor-{}", getpid())) {}
  ~ProbeFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;

  // Seconds that it takes to put it on the disk. CheckpointError.
  double write() const {
    const auto begin = std::chrono::steady_clock::now();
    write_atomically(path_, "probe\n");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // The reason why it cannot be locked; empty where it can.
  [[nodiscard]] std::string why_no_lock() const {
    const int descriptor = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const bool is_locked = descriptor >= 0 && ::fcntl(descriptor, F_OFD_SETLK, &whole) == 0;
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return is_locked ? "" : std::generic_category().message(error);
  }

 private:
  fs::path path_;
};

double free_bytes(const fs::path& folder) {
  std::error_code failure;
  const fs::space_info space = fs::space(folder, failure);
  return failure ? 0 : static_cast<double>(space.available);
}

std::string room_text(const fs::path& folder) {
  return size_text(free_bytes(folder)) + " free";
}

Finding check_dataset(const data::DatasetEntry& entry, const std::string& data_dir,
                      const std::string& wanted) {
  const std::string name(entry.name);
  try {
    const auto source = entry.find({.data_dir = data_dir, .max_samples = 0});
    return ok(name, fmt::format("{} samples in {}", source.about.n_samples(),
                                (fs::path(data_dir) / name).string()));
  } catch (const DataError& error) {
    const std::string what = error.what();
    const std::size_t end = what.find("; ");
    const std::string advice = end == std::string::npos ? "" : what.substr(end + 2);
    if (name == wanted) return problem(name, what.substr(0, end), advice);
    return note(name, what.substr(0, end), advice);
  }
}

}  // namespace

Finding check_run_folder_place(const fs::path& folder) {
  const std::string subject = "runs";
  std::error_code failure;
  const fs::path place = nearest_above(fs::absolute(folder, failure).lexically_normal());
  const ProbeFile probe(place);
  double disk_s = 0;
  try {
    disk_s = probe.write();
  } catch (const CheckpointError& error) {
    return problem(subject, error.what(), "name a folder that can be written to with --output");
  }
  const std::string text = fmt::format("{}: {}, a file is on the disk after {:.3g} ms",
                                       place.string(), room_text(place), 1e3 * disk_s);
  if (const std::string reason = probe.why_no_lock(); !reason.empty()) {
    return note(subject, text + "; no locks: " + reason,
                "nothing keeps two processes from going on with one run there");
  }
  if (free_bytes(place) < kLittleRoom) {
    return note(subject, text, "make room, or name another place with --output");
  }
  if (disk_s > kSlowDisk_s) {
    return note(subject, text,
                "cells save beside their training; save less often with "
                "--checkpoint-every if the disk cannot follow");
  }
  return ok(subject, text + ", locks work");
}

Finding check_cache(const metrics::CacheFolders& cache) {
  const std::string subject = "cache";
  std::string refusals;
  for (const fs::path& folder : cache.lasting) {
    try {
      make_folders(folder);
      static_cast<void>(ProbeFile(folder).write());
      const std::string text = folder.string() + ": " + room_text(folder);
      if (refusals.empty()) return ok(subject, text);
      return note(subject, text + "; but " + refusals);
    } catch (const CheckpointError& error) {
      refusals += (refusals.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  return note(
      subject, refusals.empty() ? "no folder is named" : refusals,
      "name a folder that can be written to in LIPIZZ_CACHE_DIR; each run's classifier that "
      "scores images is kept beside the run else");
}

std::vector<Finding> check_datasets(const std::string& data_dir, const std::string& wanted) {
  const bool needs_files = data::find_dataset(wanted).origin == data::Origin::kDataDir;
  if (data_dir.empty()) {
    const std::string text = "no folder is given for those that are read from files";
    const std::string advice =
        "name one with --data-dir or LIPIZZ_DATA_DIR; scripts/fetch-data.sh FOLDER downloads them";
    return {needs_files ? problem("datasets", text, advice) : note("datasets", text, advice)};
  }
  std::vector<Finding> findings;
  for (const data::DatasetEntry& entry : data::datasets()) {
    if (entry.origin == data::Origin::kDataDir)
      findings.push_back(check_dataset(entry, data_dir, wanted));
  }
  return findings;
}

Finding check_temporary_folder(const std::string& folder) {
  const std::string subject = "TMPDIR";
  try {
    static_cast<void>(ProbeFile(folder).write());
  } catch (const CheckpointError& error) {
    return problem(subject, error.what(), "name a folder that can be written to in TMPDIR");
  }
  if (folder.size() > kLongFolder) {
    return note(subject, folder + " is a long name",
                "mpirun's sockets may not fit below it; name a shorter one in TMPDIR");
  }
  return ok(subject, folder + ": " + room_text(folder));
}

Finding check_shared_memory(const fs::path& folder) {
  const std::string subject = "shared memory";
  const std::string text = folder.string() + ": " + room_text(folder);
  if (free_bytes(folder) >= kLittleSharedMemory) return ok(subject, text);
  return note(subject, text,
              "ranks of one host exchange through it; give a container more with --shm-size=1g");
}

}  // namespace lipizz::app
