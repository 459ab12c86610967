#pragma once

#include <string>
#include <string_view>

namespace lipizz::tensorboard {

/// A record of TensorFlow's TFRecord format: the length of the data (8 bytes), the masked CRC-32C
/// of these 8 bytes, the data, their masked CRC-32C; numbers are little-endian.
std::string record(std::string_view data);

}  // namespace lipizz::tensorboard
