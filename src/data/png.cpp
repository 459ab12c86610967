#include "data/png.hpp"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/bytes.hpp"
#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::data {
namespace {

[[noreturn]] void fail(const std::string& action, const std::filesystem::path& path,
                       const std::string& reason) {
  throw DataError("cannot " + action + " " + path.string() + ": " + reason);
}

std::string system_reason() {
  return std::generic_category().message(errno);
}

/// A libpng picture with its state; `png_image` is libpng's interface that reports by value.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  ~PngImage() { png_image_free(this); }
};

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  LIPIZZ_ASSERT(image.channels == 1 || image.channels == 3);
  PngImage png;
  png.width = image.width;
  png.height = image.height;
  png.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  Bytes bytes(PNG_IMAGE_PNG_SIZE_MAX(png));
  png_alloc_size_t n_bytes = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &n_bytes, 0, image.pixels.data(), 0, nullptr) ==
      0) {
    throw InternalError("cannot encode " + path.string() + ": " + png.message);
  }
  write_atomically(path, std::span(bytes).first(n_bytes));
}

Image read_png(const std::filesystem::path& path, std::uint32_t max_pixels) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("read", path, system_reason());
  PngImage png;
  if (png_image_begin_read_from_stdio(&png, file.get()) == 0) fail("read", path, png.message);
  if (std::uint64_t{png.width} * png.height > max_pixels) {
    fail("read", path,
         "expected at most " + std::to_string(max_pixels) + " pixels, found " +
             std::to_string(png.width) + " x " + std::to_string(png.height));
  }
  if ((png.format & ~(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP)) != 0) {
    fail("read", path, "expected 8 bits a channel and no transparency");
  }
  png.format &= PNG_FORMAT_FLAG_COLOR;
  Image image(png.width, png.height, PNG_IMAGE_PIXEL_CHANNELS(png.format));
  if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0) {
    fail("read", path, png.message);
  }
  return image;
}

}  // namespace lipizz::data
