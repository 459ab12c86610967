#pragma once

#include <cstdint>
#include <filesystem>

#include "data/image.hpp"

namespace lipizz::data {

/// Writes a picture that appears whole or not at all (core/atomic_file.hpp), over whatever was
/// there. CheckpointError naming the path and the reason when that fails, with nothing left behind.
void write_png(const std::filesystem::path& path, const Image& image);

/// Reads an 8-bit grey or red-green-blue picture without transparency. DataError when the file is
/// missing, damaged, of another kind or has more than `max_pixels` pixels.
Image read_png(const std::filesystem::path& path, std::uint32_t max_pixels = 1U << 24);

}  // namespace lipizz::data
