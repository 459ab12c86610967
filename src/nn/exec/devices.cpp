#include "nn/exec/devices.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/checking_device.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/exec/shared_library.hpp"

namespace lipizz::nn {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kGpu = "cuda";
constexpr std::string_view kGpuAndCpu = "cuda+cpu";
constexpr std::string_view kCheck = "check";
constexpr const char* kLibrary = "liblipizz_cuda.so";

// Where the library may lie: in LIPIZZ_PLUGIN_DIR, else beside this program or in its ../lib.
std::vector<std::filesystem::path> library_folders() {
  if (const char* folder = std::getenv("LIPIZZ_PLUGIN_DIR"); folder != nullptr && *folder != 0) {
    return {folder};
  }
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program, program.parent_path() / "lib"};
}

// The library that drives GPUs, loaded once. Without it there is no GPU; one that does not load is
// a fault where a driver waits for it.
class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }

  [[nodiscard]] const std::string& missing() const { return missing_; }

  template <class Function>
  [[nodiscard]] Function* find(const char* symbol) const {
    Function* found = nullptr;
    file_.find(symbol, found);
    return found;
  }

 private:
  Library() : file_(kLibrary, library_folders()) {
    if (file_.is_open()) return;
    if (!file_.is_there()) {
      missing_ = "this build has no GPU kernels: " + file_.complaint() +
                 "; build with the CUDA toolkit (LIPIZZ_CUDA=ON), or name its folder in "
                 "LIPIZZ_PLUGIN_DIR";
      return;
    }
    missing_ = file_.complaint();
    if (has_gpu_driver()) {
      throw ConfigError("device: this machine has a driver of GPUs, but " + missing_ +
                        "; mend that, or choose the processor (device cpu)");
    }
  }

  SharedLibrary file_;
  std::string missing_;
};

std::unique_ptr<Device> open_gpu(int index, const Engine& engine) {
  return std::unique_ptr<Device>(
      Library::get().find<Device*(int, const Engine&)>("lipizz_open_cuda")(index, engine));
}

}  // namespace

void check_precision(std::string_view device, Precision precision) {
  if (precision == Precision::kF32 || (device != kCpu && device != kGpuAndCpu)) return;
  if (precision == Precision::kBf16 && device == kCpu) return;
  throw ConfigError("precision: " + std::string(device) + " does not compute in " +
                    std::string(to_string(precision)) + "; choose f32, " +
                    (device == kCpu ? "bf16 where the processor has it, " : "") +
                    "or GPUs (device cuda)");
}

std::unique_ptr<Device> open_device(std::string_view name, const Engine& engine,
                                    Precision precision) {
  check_precision(name, precision);
  Engine of_device = engine;
  of_device.precision = precision;
  if (name == kCpu) {
    check_bf16(of_device);
    return std::make_unique<HostDevice>(of_device);
  }
  const std::optional<int> index = name == kCheck ? 0 : cuda_index(name);
  if (!index) {
    throw ConfigError("device: expected cpu, auto, check, cuda or cuda:0, cuda:1 ..., found \"" +
                      std::string(name) + "\"");
  }
  const std::string missing = why_no_gpu();
  if (!missing.empty()) throw ConfigError("device " + std::string(name) + ": " + missing);
  std::unique_ptr<Device> gpu = open_gpu(*index, of_device);
  if (name != kCheck) return gpu;
  return std::make_unique<CheckingDevice>(std::move(gpu), engine, tolerance_of(precision));
}

std::optional<int> cuda_index(std::string_view name) {
  if (name == kGpu) return 0;
  const std::string prefix = std::string(kGpu) + ":";
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view number = name.substr(prefix.size());
  const char* const end = number.data() + number.size();
  int index = 0;
  const auto [read_to, error] = std::from_chars(number.data(), end, index);
  if (read_to != end || error != std::errc() || index < 0) return std::nullopt;
  return index;
}

int count_gpus() {
  const Library& library = Library::get();
  return library.missing().empty() ? library.find<int()>("lipizz_count_cuda")() : 0;
}

std::string why_no_gpu() {
  const Library& library = Library::get();
  if (!library.missing().empty()) return library.missing();
  return library.find<const char*()>("lipizz_why_no_cuda")();
}

}  // namespace lipizz::nn
