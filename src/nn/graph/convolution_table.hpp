#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "nn/base/engine.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// One convolution of a plan; at the level avx512_bf16 it is in bf16, at all others in f32.
struct ConvolutionCase {
  std::string operation;  // its name
  ConvolutionShape shape;
  NumericsLevel level = NumericsLevel::kBaseline;
  auto operator<=>(const ConvolutionCase&) const = default;
};

ConvolutionCase case_of(const Graph& graph, ValueId convolution, NumericsLevel level);

struct NamedAlgorithm {
  std::string_view name;
  ConvolutionAlgorithm algorithm;
};
/// Every algorithm there is to choose from.
inline constexpr std::array kConvolutionAlgorithms{
    NamedAlgorithm{"im2col", ConvolutionAlgorithm::kIm2col},
    NamedAlgorithm{"kn2row", ConvolutionAlgorithm::kKn2row},
    NamedAlgorithm{"winograd", ConvolutionAlgorithm::kWinograd},
    NamedAlgorithm{"winograd4", ConvolutionAlgorithm::kWinograd4},
    NamedAlgorithm{"onednn", ConvolutionAlgorithm::kOneDnnPrimitive},
    NamedAlgorithm{"direct", ConvolutionAlgorithm::kDirect}};

/// How a convolution is computed, and how long each of these algorithms took; 0: not measured.
struct ConvolutionChoice {
  ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::kIm2col;
  std::array<std::uint32_t, kConvolutionAlgorithms.size()> microseconds{};
};

/// The algorithms of convolutions that have been decided on. The algorithms of the fast engine give
/// different bits, so a table is an input of a run, never made inside one: `lipizz tune` writes
/// one, and this build has one of its own.
///
/// A file is JSON, a list of rows: the operation, x and y ([N, H, W, C]), kernel, stride,
/// padding and, of more than one, groups, precision ("f32", or "bf16") and numerics level; the
/// algorithm, and the microseconds of each.
class ConvolutionTable {
 public:
  /// The table of this build (nn/graph/convolutions.json).
  static const ConvolutionTable& committed();
  /// ConfigError naming `source` and the row when the text is no table, or has a case twice.
  static ConvolutionTable parse(std::string_view text, std::string_view source);
  /// The same, and ConfigError when there is no such file or it is larger than a mebibyte.
  static ConvolutionTable read(const std::filesystem::path& file);

  [[nodiscard]] std::optional<ConvolutionAlgorithm> find(const ConvolutionCase& wanted) const;
  void set(const ConvolutionCase& decided, const ConvolutionChoice& choice);

  /// The text of a file: cases in order, a row to a line.
  [[nodiscard]] std::string to_json() const;
  /// The hash of the cases and their algorithms, without their times.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  std::map<ConvolutionCase, ConvolutionChoice> choices_;
};

}  // namespace lipizz::nn
