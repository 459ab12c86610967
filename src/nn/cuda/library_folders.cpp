#include "nn/cuda/library_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace lipizz::nn::cuda {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

// The entries of a folder whose names begin like this, the newest version first; none where it
// cannot be read.
Folders entries(const fs::path& folder, std::string_view prefix = "") {
  Folders found;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

void add_if_there(Folders& folders, const fs::path& folder) {
  std::error_code unreadable;
  if (fs::is_directory(folder, unreadable)) folders.push_back(folder);
}

// The packages of all Pythons that are installed below a prefix.
void add_packages(Folders& folders, const fs::path& prefix) {
  for (const char* lib : {"lib", "lib64"}) {
    for (const fs::path& python : entries(prefix / lib, "python3")) {
      for (const char* packages : {"site-packages", "dist-packages"}) {
        for (const fs::path& package : entries(python / packages / "nvidia")) {
          add_if_there(folders, package / "lib");
        }
      }
    }
  }
}

// The prefixes of the first python3 on PATH: of a virtual environment, and of the Python that it
// is made of.
Folders prefixes_of_python(const std::string& path) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path python = fs::path(folder) / "python3";
    std::error_code missing;
    const fs::path file = fs::canonical(python, missing);
    if (!missing) return {python.parent_path().parent_path(), file.parent_path().parent_path()};
  }
  return {};
}

}  // namespace

std::string of_this_process(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Folders library_folders(const Environment& environment, const fs::path& toolkit) {
  Folders folders{{}};
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const fs::path home = environment(name);
    if (!home.empty()) folders.insert(folders.end(), {home / "lib64", home / "lib"});
  }
  folders.insert(folders.end(), {toolkit, "/usr/local/cuda/lib64"});
  Folders prefixes{environment("VIRTUAL_ENV"), environment("CONDA_PREFIX")};
  add_if_there(folders, prefixes.back() / "lib");
  std::ranges::copy(prefixes_of_python(environment("PATH")), std::back_inserter(prefixes));
  if (const fs::path home = environment("HOME"); !home.empty()) prefixes.push_back(home / ".local");
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  for (const fs::path& prefix : prefixes) {
    if (!prefix.empty()) add_packages(folders, prefix);
  }
  Folders each_once;
  for (const fs::path& folder : folders) {
    if (std::ranges::find(each_once, folder) == each_once.end()) each_once.push_back(folder);
  }
  return each_once;
}

}  // namespace lipizz::nn::cuda
