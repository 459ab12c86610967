#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lipizz::tensorboard {

/// An image as its file has it.
struct Picture {
  std::string png;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t channels = 0;
};

/// Larger files are not shown: the sheet of a very large grid, for example.
inline constexpr std::uint64_t kLargestPicture = 8 << 20;

/// Reads the header alone of what a PNG file holds; nothing where it is none.
std::optional<Picture> parse_picture(std::string png);

/// CheckpointError saying why when the file cannot be read, is larger than kLargestPicture or no
/// PNG.
Picture read_picture(const std::filesystem::path& file);

}  // namespace lipizz::tensorboard
