#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "data/image.hpp"

namespace lipizz::data {

/// Decodes a PNG or a JPEG, whichever the content says that it is; its name does not count.
/// DataError `PATH: ...` where it is neither, damaged, or has more than `max_pixels` pixels
/// (data/png.hpp, data/jpeg.hpp). `path` is for messages alone: whoever reads and hashes a file
/// (data/opened_file.hpp) decodes the very bytes that were hashed.
Image decode_picture(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                     std::uint32_t max_pixels);

}  // namespace lipizz::data
