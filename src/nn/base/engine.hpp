#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nn/base/precision.hpp"

namespace lipizz::nn {

class Collectives;  // nn/base/collectives.hpp
struct Pipeline;    // nn/base/pipeline.hpp
class Graph;
struct ValueId;
template <class T>
class Kernel;  // nn/cpu/plan.hpp

/// The library that computes. `kReference` is written on Eigen, always built, portable, and the
/// reference of the others; `kOneDnn` is the fast CPU engine.
enum class Backend { kReference, kOneDnn };

/// The instruction set that results depend on. A run uses the highest level that every rank offers,
/// unless its configuration names one.
/// The last two are those of products in bf16, which add up in orders of their own; in single
/// precision they give the bits of kAvx512.
enum class NumericsLevel { kBaseline, kAvx2, kAvx512, kAvx512Bf16, kAmx };

/// All of them, lowest first.
inline constexpr std::array kNumericsLevels{NumericsLevel::kBaseline, NumericsLevel::kAvx2,
                                            NumericsLevel::kAvx512, NumericsLevel::kAvx512Bf16,
                                            NumericsLevel::kAmx};

/// True when that level multiplies in bf16.
constexpr bool has_bf16(NumericsLevel level) {
  return level >= NumericsLevel::kAvx512Bf16;
}
/// The level with the same bits in single precision that knows of no bf16.
constexpr NumericsLevel without_bf16(NumericsLevel level) {
  return has_bf16(level) ? NumericsLevel::kAvx512 : level;
}

class ConvolutionTable;  // nn/graph/convolution_table.hpp

/// The engine that a plan is made for. On the reference backend the level is always kBaseline.
struct Engine {
  Backend backend = Backend::kReference;
  NumericsLevel level = NumericsLevel::kBaseline;
  const ConvolutionTable* convolutions = nullptr;  // outlives the engine; null: the committed one
  Precision precision = Precision::kF32;           // of factors: kF32, or kBf16 on oneDNN
  /// Threads for the branches of graphs (Graph::set_branch): the bits are the same for any number.
  std::uint32_t n_threads = 1;
  /// The ranks that compute steps together; they outlive the engine. Null: it is alone.
  Collectives* collectives = nullptr;
  /// How they pass micro-batches on to each other; outlives the engine. Null: each has whole ones.
  const Pipeline* pipeline = nullptr;
  /// Kernels of another maker in place of the backend's; null: the backend's.
  std::unique_ptr<Kernel<float>> (*make_kernel)(const Graph&, ValueId) = nullptr;
};

/// `reference`, `onednn`; `baseline`, `avx2`, `avx512`, `avx512_bf16`, `amx`. The parsers throw
/// ConfigError naming the nearest.
std::string_view to_string(Backend backend);
std::string_view to_string(NumericsLevel level);
Backend parse_backend(std::string_view name);
NumericsLevel parse_numerics_level(std::string_view name);

}  // namespace lipizz::nn
