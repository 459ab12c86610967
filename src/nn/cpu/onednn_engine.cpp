#include "nn/cpu/onednn_engine.hpp"

#include <omp.h>
#include <sys/mman.h>

#include <initializer_list>
#include <oneapi/dnnl/dnnl.hpp>
#include <ranges>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/out_of_memory.hpp"
#include "nn/cpu/adversarial.hpp"
#include "nn/cpu/attention.hpp"
#include "nn/cpu/augmentation.hpp"
#include "nn/cpu/broadcasting.hpp"
#include "nn/cpu/convolution.hpp"
#include "nn/cpu/drawing.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/embedding.hpp"
#include "nn/cpu/losses.hpp"
#include "nn/cpu/normalisation.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/cpu/products.hpp"
#include "nn/cpu/randomised.hpp"
#include "nn/cpu/resampling.hpp"
#include "nn/cpu/rounding.hpp"
#include "nn/cpu/slicing.hpp"
#include "nn/cpu/spectral.hpp"
#include "nn/cpu/updates.hpp"

namespace lipizz::nn {
namespace {

dnnl::cpu_isa isa(NumericsLevel level) {
  switch (level) {
    case NumericsLevel::kBaseline:
      return dnnl::cpu_isa::sse41;
    case NumericsLevel::kAvx2:
      return dnnl::cpu_isa::avx2;
    case NumericsLevel::kAvx512:
      return dnnl::cpu_isa::avx512_core;
    case NumericsLevel::kAvx512Bf16:
      return dnnl::cpu_isa::avx512_core_bf16;
    case NumericsLevel::kAmx:
      return dnnl::cpu_isa::avx512_core_amx;
  }
  return dnnl::cpu_isa::sse41;
}

// oneDNN writes the code of a primitive to memory without asking whether it got any. So there has
// to be room for it before: far more than any takes, since other threads make theirs meanwhile.
void expect_room_for_a_primitive() {
  constexpr std::size_t kRoom = std::size_t{16} << 20;
  void* room = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw OutOfMemory(kRoom);
  munmap(room, kRoom);
}

std::vector<KernelEntry> all_of(std::initializer_list<std::span<const KernelEntry>> families) {
  std::vector<KernelEntry> all;
  for (const auto family : families) all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace

std::span<const KernelEntry> fast_kernels() {
  static const std::vector<KernelEntry> kAll =
      all_of({products_kernels(), convolution_kernels(), elementwise_kernels(), slicing_kernels(),
              resampling_kernels(), broadcasting_kernels(), normalisation_kernels(),
              attention_kernels(), embedding_kernels(), spectral_kernels(), adversarial_kernels(),
              losses_kernels(), randomised_kernels(), augmentation_kernels(), drawing_kernels(),
              updates_kernels(), rounding_kernels()});
  return kAll;
}

std::span<const KernelEntry> bf16_kernels() {
  static const std::vector<KernelEntry> kAll =
      all_of({bf16_products_kernels(), bf16_convolution_kernels()});
  return kAll;
}

std::unique_ptr<Kernel<float>> make_fast_kernel(const KernelEntry& entry, const Graph& graph,
                                                ValueId value) {
  expect_room_for_a_primitive();
  return with_onednn([&] { return entry.make(graph, value); });
}

bool has_onednn() {
  return true;
}

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

void use_one_onednn_thread() {
  omp_set_num_threads(1);
}

void cap_onednn(NumericsLevel level) {
  const dnnl::cpu_isa wanted = isa(level);
  // oneDNN takes the limit once; afterwards only the same one is accepted.
  const bool was_set = dnnl::set_max_cpu_isa(wanted) == dnnl::status::success;
  const bool is_right = dnnl::get_effective_cpu_isa() == wanted;
  if (is_right || (was_set && !has_bf16(level))) return;
  const std::string name = "numerics level " + std::string(to_string(level));
  if (was_set) throw ConfigError(name + ": oneDNN has no use of it here; choose precision f32");
  throw ConfigError(name + " comes too late: oneDNN already runs at another one");
}

NumericsLevel onednn_level() {
  const auto effective = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  for (const NumericsLevel level : kNumericsLevels | std::views::reverse) {
    const auto wanted =
        static_cast<unsigned>(isa(level));  // newer sets have the bits of older ones
    if ((effective & wanted) == wanted) return level;
  }
  return NumericsLevel::kBaseline;
}

}  // namespace lipizz::nn
