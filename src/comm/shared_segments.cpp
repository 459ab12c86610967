#include "comm/shared_segments.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "core/text.hpp"

namespace lipizz::comm {

namespace fs = std::filesystem;

std::optional<std::uint32_t> open_mpi_job() {
  const char* job = std::getenv("OMPI_MCA_ess_base_jobid");
  return job == nullptr ? std::nullopt : parse_number<std::uint32_t>(job);
}

// vader_segment.<host>.<user>.<job, in hexadecimal>.<rank>
void remove_shared_segments(std::uint32_t job) {
  std::ostringstream of_job;
  of_job << '.' << getuid() << '.' << std::hex << job << '.';
  const char* elsewhere = std::getenv("OMPI_MCA_btl_vader_backing_directory");
  std::error_code ignored;
  for (const auto& entry :
       fs::directory_iterator(elsewhere == nullptr ? "/dev/shm" : elsewhere, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("vader_segment.") && name.find(of_job.str()) != std::string::npos) {
      fs::remove(entry.path(), ignored);
    }
  }
}

}  // namespace lipizz::comm
