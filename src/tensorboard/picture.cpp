#include "tensorboard/picture.hpp"

#include <array>
#include <utility>

#include "checkpoint/source_file.hpp"
#include "core/error.hpp"

namespace lipizz::tensorboard {
namespace {

// Signature, then the chunk IHDR: its length, its name, width, height, depth, colour type.
constexpr std::string_view kBeginning("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
constexpr std::size_t kWidthAt = 16;
constexpr std::size_t kHeightAt = 20;
constexpr std::size_t kColourTypeAt = 25;
// By colour type; 0: there is no such type. Those of a palette are shown in three.
constexpr std::array<std::uint32_t, 7> kChannels{1, 0, 3, 3, 2, 0, 4};

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

}  // namespace

std::optional<Picture> parse_picture(std::string png) {
  if (png.size() <= kColourTypeAt || !png.starts_with(kBeginning)) return std::nullopt;
  const auto colour_type = static_cast<unsigned char>(png[kColourTypeAt]);
  Picture picture;
  picture.width = big_endian(png, kWidthAt);
  picture.height = big_endian(png, kHeightAt);
  picture.channels = colour_type < kChannels.size() ? kChannels[colour_type] : 0;
  constexpr std::uint32_t kLargest = 1U << 31;  // as PNG has it
  const auto is_length = [](std::uint32_t n) { return n > 0 && n < kLargest; };
  if (picture.channels == 0 || !is_length(picture.width) || !is_length(picture.height)) {
    return std::nullopt;
  }
  picture.png = std::move(png);
  return picture;
}

Picture read_picture(const std::filesystem::path& file) {
  const checkpoint::SourceFile source(file);
  if (source.size() > kLargestPicture) {
    throw CheckpointError(source.place() +
                          ": is larger than the 8 MiB that are shown of a picture");
  }
  const Bytes bytes = source.first(kLargestPicture);
  auto picture = parse_picture({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!picture) throw CheckpointError(source.place() + ": expected a PNG, found something else");
  return std::move(*picture);
}

}  // namespace lipizz::tensorboard
