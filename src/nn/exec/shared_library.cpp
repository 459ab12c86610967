#include "nn/exec/shared_library.hpp"

#include <dlfcn.h>

#include <utility>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

void add(std::string& list, const std::string& entry) {
  if (!list.empty()) list += ", ";
  list += entry;
}

bool is_absent(const std::filesystem::path& folder, const std::string& name,
               const std::string& refusal) {
  if (folder.empty()) return refusal.starts_with(name + ": cannot open");
  std::error_code ignored;
  return !std::filesystem::exists(folder / name, ignored);
}

}  // namespace

SharedLibrary::SharedLibrary(std::string name, std::span<const std::filesystem::path> folders)
    : name_(std::move(name)) {
  for (const auto& folder : folders) {
    open(folder);
    if (is_open()) return;
  }
}

void SharedLibrary::open(const std::filesystem::path& folder) {
  const std::string file = folder / name_;
  add(places_, folder.empty() ? "LD_LIBRARY_PATH, the system's folders" : folder.string());
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (is_open()) return;
  const std::string refusal = dlerror();
  if (!is_absent(folder, name_, refusal)) add(refusals_, file + " (" + refusal + ")");
}

std::string SharedLibrary::complaint() const {
  if (is_open()) return "";
  if (is_there()) return "the library cannot be loaded: " + refusals_;
  return name_ + " is in none of " + places_;
}

void* SharedLibrary::address_of(const char* symbol) const {
  void* const found = dlsym(handle_, symbol);
  if (found == nullptr) {
    throw ConfigError(name_ + " is of another version: it has no " + symbol);
  }
  return found;
}

bool has_gpu_driver() {
  constexpr const char* kDriver = "libcuda.so.1";
  return dlopen(kDriver, RTLD_LAZY | RTLD_LOCAL) != nullptr;
}

}  // namespace lipizz::nn
