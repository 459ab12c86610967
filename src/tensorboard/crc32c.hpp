#pragma once

#include <cstdint>
#include <string_view>

namespace lipizz::tensorboard {

/// CRC-32C (Castagnoli), as RFC 3720 has it for iSCSI: the polynomial 0x1EDC6F41, bits reflected,
/// begun with and finished by all ones.
std::uint32_t crc32c(std::string_view bytes);

/// A checksum as TFRecord stores it, turned and shifted, so that data which hold checksums of their
/// own have no weaker one.
std::uint32_t masked(std::uint32_t crc);

}  // namespace lipizz::tensorboard
