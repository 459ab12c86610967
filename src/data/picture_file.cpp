#include "data/picture_file.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "data/jpeg.hpp"
#include "data/png.hpp"

namespace lipizz::data {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view start;
  const char* kind;
};

// Files that lie in folders of pictures beside those that are read.
constexpr Magic kOthers[] = {{"GIF8", "a GIF"},
                             {"BM", "a BMP"},
                             {"II*", "a TIFF"},
                             {"MM\0*"sv, "a TIFF"},
                             {"\x93NUMPY", "a .npy"},
                             {"\x89HDF", "an HDF5 file"},
                             {"PK\x03\x04", "a zip file"},
                             {"%PDF", "a PDF"},
                             {"<svg", "an SVG"},
                             {"<?xml", "XML"}};

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' || (byte >= '\t' && byte <= '\r');
  });
}

// In words, from the first bytes.
std::string kind_of(std::string_view start) {
  if (start.empty()) return "an empty file";
  for (const Magic& magic : kOthers) {
    if (start.starts_with(magic.start)) return magic.kind;
  }
  if (start.starts_with("RIFF") && start.find("WEBP") == 8) return "a WebP";
  return is_text(start) ? "text" : "another kind of file";
}

}  // namespace

Image decode_picture(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                     std::uint32_t max_pixels) {
  constexpr std::size_t kLooked = 64;
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min(bytes.size(), kLooked));
  if (start.starts_with("\x89PNG")) return decode_png(bytes, path, max_pixels);
  if (start.starts_with("\xff\xd8")) return decode_jpeg(bytes, path, max_pixels);
  throw DataError(path.string() + ": expected a PNG or a JPEG, found " + kind_of(start));
}

}  // namespace lipizz::data
