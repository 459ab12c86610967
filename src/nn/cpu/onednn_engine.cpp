#include "nn/cpu/onednn_engine.hpp"

#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "core/error.hpp"
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
#include "nn/cpu/products.hpp"
#include "nn/cpu/randomised.hpp"
#include "nn/cpu/resampling.hpp"
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
  }
  return dnnl::cpu_isa::sse41;
}

}  // namespace

std::span<const KernelEntry> fast_kernels() {
  static const std::vector<KernelEntry> kAll = [] {
    std::vector<KernelEntry> all;
    for (const auto family :
         {products_kernels(), convolution_kernels(), elementwise_kernels(), slicing_kernels(),
          resampling_kernels(), broadcasting_kernels(), normalisation_kernels(),
          attention_kernels(), embedding_kernels(), spectral_kernels(), adversarial_kernels(),
          losses_kernels(), randomised_kernels(), augmentation_kernels(), drawing_kernels(),
          updates_kernels()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return kAll;
}

bool has_onednn() {
  return true;
}

void use_one_onednn_thread() {
  omp_set_num_threads(1);
}

void cap_onednn(NumericsLevel level) {
  // oneDNN takes the limit once; afterwards only the same one is accepted.
  const bool was_set = dnnl::set_max_cpu_isa(isa(level)) == dnnl::status::success;
  if (!was_set && dnnl::get_effective_cpu_isa() != isa(level)) {
    throw ConfigError("numerics level " + std::string(to_string(level)) +
                      " comes too late: oneDNN already runs at another one");
  }
}

}  // namespace lipizz::nn
