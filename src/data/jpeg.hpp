#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "data/image.hpp"

namespace lipizz::data {

/// Decodes a grey or red-green-blue JPEG, baseline or progressive. DataError `PATH: ...` when the
/// bytes are damaged in any way that libjpeg notices (it warns of many: a cut file, for one), in
/// another colour space, or have more than `max_pixels` pixels or most_picture_bytes() of them,
/// which bounds how many passes over its pixels a progressive file can ask for. The bits are those
/// of libjpeg's accurate integer transform. A note of a camera that it was held upright does not
/// turn the picture, and bytes after the end are not looked at.
Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                  std::uint32_t max_pixels);

/// The same for a file of a dataset that is downloaded: its DataError says how to get it anew.
Image read_jpeg(const std::filesystem::path& path, std::uint32_t max_pixels = 1U << 24);

}  // namespace lipizz::data
