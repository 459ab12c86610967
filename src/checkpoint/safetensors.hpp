#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace lipizz::checkpoint {

/// Reading and writing the safetensors container (format 0.3 and later), which many frameworks
/// open:
///
///   8 bytes   length n of the header, little-endian
///   n bytes   header: JSON, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
///             ..., "__metadata__": {"key": "text"}}, padded with spaces to a multiple of 8
///   the rest  the tensors' bytes, little-endian, row by row; offsets count from here
///
/// Tensors lie in the order they are given in, without holes or overlaps. The metadata's
/// `lipizz.hash` covers everything that the file says; a file without it is refused. Numbers other
/// than those of DType, and tensors without elements, are neither written nor read.

enum class DType { kU8, kI64, kU64, kF32, kF64 };

/// Bytes of one element; `U8`, `I64`, `U64`, `F32`, `F64`.
std::size_t size_of(DType type);
std::string_view to_string(DType type);

/// A tensor whose bytes lie elsewhere. data.size() is the shape's elements times size_of(type),
/// at least 1.
struct TensorView {
  std::string name;
  DType type = DType::kF32;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> data;
};

using Metadata = std::map<std::string, std::string>;

/// Tensors and metadata of a file, owning its bytes.
class TensorFile {
 public:
  TensorFile(Metadata metadata, std::vector<TensorView> tensors, Bytes bytes)
      : metadata_(std::move(metadata)), tensors_(std::move(tensors)), bytes_(std::move(bytes)) {}
  TensorFile(TensorFile&&) noexcept = default;
  TensorFile& operator=(TensorFile&&) noexcept = default;

  /// Without the hash.
  [[nodiscard]] const Metadata& metadata() const { return metadata_; }
  /// In the order of their data.
  [[nodiscard]] std::span<const TensorView> tensors() const { return tensors_; }

 private:
  Metadata metadata_;
  std::vector<TensorView> tensors_;  // views of bytes_, whose memory a move keeps
  Bytes bytes_;
};

/// The file's bytes. Names are distinct, UTF-8 like the metadata, and not `__metadata__`.
Bytes encode_tensors(std::span<const TensorView> tensors, const Metadata& metadata);

/// Believes no length: each is checked against what is there before anything is allocated. Bytes
/// that are damaged or not of this form are a CheckpointError with `place`, expected and found.
TensorFile decode_tensors(Bytes bytes, const std::string& place);

/// The same in a file, written whole or not at all. CheckpointError with the path when it cannot be
/// written, is missing or cannot be read.
void write_tensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                   const Metadata& metadata);
TensorFile read_tensors(const std::filesystem::path& path);

}  // namespace lipizz::checkpoint
