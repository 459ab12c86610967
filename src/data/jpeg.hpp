#pragma once

#include <cstdint>
#include <filesystem>

#include "data/image.hpp"

namespace lipizz::data {

/// Reads a grey or red-green-blue JPEG file, baseline or progressive. DataError naming the file and
/// what is wrong when it is missing, damaged in any way that libjpeg notices (it warns of many),
/// in another colour space, or has more than `max_pixels` pixels or 8 bytes for each. The bits are
/// those of libjpeg's accurate integer transform.
Image read_jpeg(const std::filesystem::path& path, std::uint32_t max_pixels = 1U << 24);

}  // namespace lipizz::data
