#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/bytes.hpp"
#include "data/image.hpp"

namespace lipizz::data {

/// A picture as the bytes of a PNG file; the same picture gives the same bytes.
Bytes encode_png(const Image& image);

/// Writes a picture that appears whole or not at all (core/atomic_file.hpp), over whatever was
/// there. CheckpointError naming the path and the reason when that fails, with nothing left behind.
void write_png(const std::filesystem::path& path, const Image& image);

/// Decodes a PNG of any kind: grey, palette or colour, 1 to 16 bits, interlaced or not. The picture
/// has 1 channel where the file is grey and 3 otherwise, of 8 bits; 16 bits are scaled and rounded.
/// Transparent pixels are laid over white: browsers show them so, and dark drawings without a
/// background are made for it. Gamma and colour profiles are not applied, as in other readers of
/// training data.
///
/// DataError `PATH: ...` when the bytes are damaged anywhere that libpng notices (checksums, also
/// those of what it skips; bytes after the end are not looked at), or hold more than `max_pixels`.
Image decode_png(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                 std::uint32_t max_pixels);

/// The same for a file; DataError when it is missing or has more bytes than such a picture can.
Image read_png(const std::filesystem::path& path, std::uint32_t max_pixels = 1U << 24);

}  // namespace lipizz::data
