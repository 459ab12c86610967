#include "app/session_folder.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "comm/shared_segments.hpp"
#include "core/error.hpp"

namespace lipizz::app {

SessionFolder::SessionFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "lipizz-launch-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw ConfigError("cannot make a folder like " + name);
  path_ = name;
}

SessionFolder::~SessionFolder() {
  remove_shared_memory();
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// Killed ranks leave their segments, which bear the number of the job: that of its launcher, which
// stands first in its URI, and one.
void SessionFolder::remove_shared_memory() const {
  std::uint32_t launcher = 0;
  if (std::ifstream(uri_file()) >> launcher) comm::remove_shared_segments(launcher + 1);
}

}  // namespace lipizz::app
