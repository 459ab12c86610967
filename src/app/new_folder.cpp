#include "app/new_folder.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"

namespace lipizz::app {

namespace fs = std::filesystem;

void expect_nothing_at(std::string_view command, const fs::path& path) {
  if (is_missing(path)) return;
  throw ConfigError(std::string(command) + ": " + path.string() +
                    " exists; remove it, or name another place with --output");
}

NewFolder::NewFolder(std::string_view command, fs::path place)
    : place_(std::move(place)), made_(place_.string() + ".tmp-" + random_id()) {
  expect_nothing_at(command, place_);
  make_folder(made_);
}

NewFolder::~NewFolder() {
  std::error_code none;
  if (!made_.empty()) fs::remove_all(made_, none);
}

void NewFolder::put_in_place() {
  replace_folder(made_, place_);
  made_.clear();
}

}  // namespace lipizz::app
