#include "comm/shared_segments.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/host.hpp"
#include "core/text.hpp"

namespace lipizz::comm {

namespace {

namespace fs = std::filesystem;

// vader_segment.<host>.<user>.<job, in hexadecimal>.<rank>
constexpr const char* kPrefix = "vader_segment.";

std::vector<fs::path> segments() {
  const char* elsewhere = std::getenv("OMPI_MCA_btl_vader_backing_directory");
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry :
       fs::directory_iterator(elsewhere == nullptr ? "/dev/shm" : elsewhere, ignored)) {
    if (entry.path().filename().string().starts_with(kPrefix)) found.push_back(entry.path());
  }
  return found;
}

bool is_of_user(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == getuid();
}

// Open MPI leaves the domain of the host's name out. Where containers share the memory, a process
// of another host cannot be looked at.
bool is_ours(const fs::path& segment) {
  const std::string host = host_name();
  const std::string user = "." + std::to_string(getuid()) + ".";
  const std::string name = segment.filename().string();
  return is_of_user(segment) && (name.starts_with(kPrefix + host + user) ||
                                 name.starts_with(kPrefix + host.substr(0, host.find('.')) + user));
}

bool is_old(const fs::path& segment, fs::file_time_type now) {
  std::error_code unknown;
  const auto changed = fs::last_write_time(segment, unknown);
  return !unknown && now - changed > std::chrono::minutes(1);
}

// All that the processes of this user have mapped, as text. One that does not let us look has other
// rights than ours, and is no rank.
std::string mappings_of_user() {
  std::ostringstream all;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const std::string name = entry.path().filename().string();
    if (!parse_number<std::uint32_t>(name) || !is_of_user(entry.path())) continue;
    std::ifstream maps(entry.path() / "maps");
    for (std::string line; std::getline(maps, line);) all << line << '\n';
  }
  return all.str();
}

}  // namespace

std::optional<std::uint32_t> open_mpi_job() {
  const char* job = std::getenv("OMPI_MCA_ess_base_jobid");
  return job == nullptr ? std::nullopt : parse_number<std::uint32_t>(job);
}

void remove_shared_segments(std::uint32_t job) {
  std::ostringstream of_job;
  of_job << '.' << getuid() << '.' << std::hex << job << '.';
  std::error_code ignored;
  for (const fs::path& segment : segments()) {
    if (segment.filename().string().find(of_job.str()) != std::string::npos) {
      fs::remove(segment, ignored);
    }
  }
}

void remove_stale_segments(fs::file_time_type now) {
  std::vector<fs::path> stale;
  for (const fs::path& segment : segments()) {
    if (is_ours(segment) && is_old(segment, now)) stale.push_back(segment);
  }
  if (stale.empty()) return;
  const std::string mapped = mappings_of_user();
  if (mapped.empty()) return;  // not even this process is seen
  std::error_code ignored;
  for (const fs::path& segment : stale) {
    const std::string name = "/" + segment.filename().string();
    if (mapped.find(name) == std::string::npos) fs::remove(segment, ignored);
  }
}

}  // namespace lipizz::comm
