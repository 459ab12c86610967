#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace lipizz::nn {

/// A library that is opened while the program runs, and stays open: those that drive GPUs do not
/// like to go.
class SharedLibrary {
 public:
  /// Opens the first file of that name that can be: in one of these folders, in their order. An
  /// empty folder stands for the system's own search: LD_LIBRARY_PATH, then its folders.
  SharedLibrary(std::string name, std::span<const std::filesystem::path> folders);

  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }
  /// True where a file of that name is, whether it could be opened or not.
  [[nodiscard]] bool is_there() const { return is_open() || !refusals_.empty(); }
  /// Why it is not open: where it was looked for, or what the system says of the files that are
  /// there. Empty where it is.
  [[nodiscard]] std::string complaint() const;

  /// Finds a function by name. ConfigError when the library, which is open, has it not.
  template <class Function>
  void find(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address_of(symbol));
  }

 private:
  void open(const std::filesystem::path& folder);
  void* address_of(const char* symbol) const;

  std::string name_;
  std::string places_;    // where it was looked for
  std::string refusals_;  // why files of that name could not be opened
  void* handle_ = nullptr;
};

/// True where the driver of NVIDIA's GPUs can be opened; there may be no GPU even so.
bool has_gpu_driver();

}  // namespace lipizz::nn
