#include "app/session_folder.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "comm/shared_segments.hpp"
#include "core/error.hpp"
#include "core/host.hpp"

namespace lipizz::app {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& folder, const std::string& reason) {
  throw ConfigError("launch: cannot make a folder in " + folder + ": " + reason +
                    "; name one that can be written to in the environment's TMPDIR");
}

fs::path existing_temporary_folder() {
  const std::string folder = temporary_folder();
  std::error_code failure;
  const fs::file_type type = fs::status(folder, failure).type();
  if (type != fs::file_type::directory) {
    const bool is_there = type != fs::file_type::not_found && type != fs::file_type::none;
    fail(folder, is_there ? "it is no folder" : failure.message());
  }
  return folder;
}

}  // namespace

SessionFolder::SessionFolder() {
  const fs::path folder = existing_temporary_folder();
  std::string name = (folder / "lipizz-launch-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    fail(folder.string(), std::generic_category().message(errno));
  }
  path_ = name;
}

SessionFolder::~SessionFolder() {
  remove_shared_memory();
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

// Killed ranks leave their segments, which bear the number of the job: that of its launcher, which
// stands first in its URI, and one.
void SessionFolder::remove_shared_memory() const {
  std::uint32_t launcher = 0;
  if (std::ifstream(uri_file()) >> launcher) comm::remove_shared_segments(launcher + 1);
}

}  // namespace lipizz::app
