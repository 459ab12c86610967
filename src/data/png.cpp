#include "data/png.hpp"

#include <png.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

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

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& reason) {
  throw CheckpointError("cannot write " + path.string() + ": " + reason);
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

/// A file that is removed unless it was renamed to its place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& place)
      : place_(place), path_(place.string() + ".tmp-" + std::to_string(::getpid())) {
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_) fail_to_write(place_, system_reason());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!is_placed_) std::remove(path_.c_str());
  }

  [[nodiscard]] std::FILE* get() const { return file_.get(); }

  void put_in_place() {
    if (std::fclose(file_.release()) != 0) fail_to_write(place_, system_reason());
    if (std::rename(path_.c_str(), place_.c_str()) != 0) fail_to_write(place_, system_reason());
    is_placed_ = true;
  }

 private:
  std::filesystem::path place_;
  std::string path_;
  File file_;
  bool is_placed_ = false;
};

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  LIPIZZ_ASSERT(image.channels == 1 || image.channels == 3);
  PngImage png;
  png.width = image.width;
  png.height = image.height;
  png.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  TemporaryFile file(path);
  errno = 0;
  if (png_image_write_to_stdio(&png, file.get(), 0, image.pixels.data(), 0, nullptr) == 0) {
    fail_to_write(path, errno == 0 ? png.message : system_reason());
  }
  file.put_in_place();
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
