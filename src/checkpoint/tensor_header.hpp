#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/safetensors.hpp"

namespace lipizz::checkpoint {

/// The content of a safetensors file's JSON header.
struct TensorHeader {
  Metadata metadata;
  std::vector<TensorView> tensors;     // in the order of their data, which is not there yet
  std::vector<std::uint64_t> n_bytes;  // of each tensor
};

/// The header of `tensors` lying one after the other, padded with spaces to a multiple of 8.
std::string format_header(std::span<const TensorView> tensors, const Metadata& metadata);

/// The counterpart for `n_data_bytes` of data. Anything but an exact cover of the data by tensors
/// of known type is a CheckpointError that begins with `place`.
TensorHeader parse_header(std::string_view text, std::uint64_t n_data_bytes,
                          const std::string& place);

/// The error of a file that cannot be believed: place, what was expected and found, what to do.
[[noreturn]] void refuse(const std::string& place, const std::string& what);

}  // namespace lipizz::checkpoint
