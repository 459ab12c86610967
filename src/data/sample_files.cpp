#include "data/sample_files.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/folder_listing.hpp"
#include "data/image.hpp"
#include "data/npy.hpp"
#include "data/opened_file.hpp"
#include "data/picture_file.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostPixels = 1U << 24;
constexpr const char* kRanges = "0..1 or -1..1";

std::string size_text(std::uint64_t height, std::uint64_t width, std::uint64_t channels) {
  return std::to_string(height) + "x" + std::to_string(width) + "x" + std::to_string(channels);
}

std::string size_text(SampleShape shape) {
  return size_text(shape.height, shape.width, shape.channels);
}

std::uint32_t checked_count(const fs::path& path, std::uint64_t n) {
  if (n <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(n);
  throw DataError(path.string() + ": expected fewer than 2^32 samples, found " + std::to_string(n));
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    if (is_picture_name(entry->path())) files.push_back(entry->path());
  }
  if (failure) throw DataError(folder.string() + ": cannot be read: " + failure.message());
  if (files.empty()) {
    throw DataError(folder.string() + ": expected pictures (*.png, *.jpg, *.jpeg), found none");
  }
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.filename().string(); });
  return files;
}

bool is_grey(const Image& image) {
  for (std::size_t i = 0; i < image.pixels.size(); i += image.channels) {
    const std::uint8_t* const pixel = &image.pixels[i];
    if (pixel[0] != pixel[1] || pixel[0] != pixel[2]) return false;
  }
  return true;
}

class PictureFolder final : public GivenSamples {
 public:
  PictureFolder(std::vector<fs::path> files, SampleShape shape)
      : GivenSamples(checked_count(files.front().parent_path(), files.size())),
        files_(std::move(files)),
        shape_(shape) {}

  void read(std::uint32_t first, std::span<float> out) const override {
    for (; !out.empty(); out = out.subspan(shape_.size())) {
      read_picture(files_[first++], out.first(shape_.size()));
    }
  }

 private:
  void read_picture(const fs::path& path, std::span<float> out) const {
    const OpenedFile file(path);
    const Image image =
        decode_picture(file.content(most_picture_bytes(kMostPixels)), path, kMostPixels);
    const bool counts_as_grey = shape_.channels == 1 && image.channels == 3 && is_grey(image);
    const std::uint32_t channels = counts_as_grey ? 1 : image.channels;
    if (image.height != shape_.height || image.width != shape_.width ||
        channels != shape_.channels) {
      file.fail("expected an image of " + size_text(shape_) + " (height, width, channels), found " +
                size_text(image.height, image.width, image.channels) +
                "; nothing is resized here, since that would change the score");
    }
    const std::size_t step = counts_as_grey ? image.channels : 1;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from_pixel(image.pixels[i * step]);
  }

  std::vector<fs::path> files_;
  SampleShape shape_;
};

// Images as bytes, or as floats of a range.
class ImageArray final : public GivenSamples {
 public:
  ImageArray(std::unique_ptr<NpyFile> file, SampleShape shape,
             const std::optional<ValueRange>& range)
      : GivenSamples(checked_count(file->path(), file->layout().n_rows())),
        file_(std::move(file)),
        shape_(shape),
        range_(range) {}

  void read(std::uint32_t first, std::span<float> out) const override {
    if (range_) {
      file_->read(first, out);
      const float tolerance = (range_->high - range_->low) / 512;  // no pixel's worth
      for (float& value : out) {
        if (value < range_->low - tolerance || value > range_->high + tolerance) {
          refuse(first, value);
        }
        value = from_pixel(to_pixel(scaled(value)));
      }
      return;
    }
    std::vector<std::uint8_t> pixels(out.size());
    file_->read(first, pixels);
    std::ranges::transform(pixels, out.begin(), from_pixel);
  }

 private:
  [[nodiscard]] float scaled(float value) const {
    return 2 * (value - range_->low) / (range_->high - range_->low) - 1;
  }
  [[noreturn]] void refuse(std::uint32_t first, float value) const {
    file_->fail("expected floats from " + number_text(range_->low) + " to " +
                number_text(range_->high) + ", as --range says, found " + number_text(value) +
                " in the samples from " + std::to_string(first) + " on");
  }

  std::unique_ptr<NpyFile> file_;
  SampleShape shape_;
  std::optional<ValueRange> range_;
};

class VectorArray final : public GivenSamples {
 public:
  explicit VectorArray(std::unique_ptr<NpyFile> file)
      : GivenSamples(checked_count(file->path(), file->layout().n_rows())),
        file_(std::move(file)) {}

  void read(std::uint32_t first, std::span<float> out) const override { file_->read(first, out); }

 private:
  std::unique_ptr<NpyFile> file_;
};

void expect_image_shape(const NpyFile& file, SampleShape shape) {
  const std::vector<std::uint64_t>& found = file.layout().shape;
  const std::vector<std::uint64_t> with_channels{found.front(), shape.height, shape.width,
                                                 shape.channels};
  if (found == with_channels) return;
  if (shape.channels == 1 && found == std::vector(with_channels.begin(), with_channels.end() - 1)) {
    return;
  }
  file.fail("expected an array of " + shape_text(with_channels) +
            " (samples, height, width, channels), found " + shape_text(found) +
            "; nothing is resized here, since that would change the score");
}

std::unique_ptr<GivenSamples> open_images(std::unique_ptr<NpyFile> file, SampleShape shape,
                                          const std::optional<ValueRange>& range) {
  expect_image_shape(*file, shape);
  const bool is_bytes = file->layout().type == ElementType::kUint8;
  if (!is_bytes && !range) {
    throw ConfigError(file->path().string() +
                      ": it holds floats, and what black and white are is not guessed; give "
                      "--range 0..1 or --range=-1..1");
  }
  if (is_bytes && range) {
    throw ConfigError(file->path().string() + ": it holds bytes, from 0 to 255; leave --range out");
  }
  return std::make_unique<ImageArray>(std::move(file), shape, range);
}

std::unique_ptr<GivenSamples> open_vectors(std::unique_ptr<NpyFile> file, SampleShape shape,
                                           const std::optional<ValueRange>& range) {
  if (file->layout().type == ElementType::kUint8) file->fail("expected floats, found bytes");
  if (file->layout().row_size() != shape.size()) {
    file->fail("expected samples of " + std::to_string(shape.size()) + " values, found " +
               shape_text(file->layout().shape));
  }
  if (range) throw ConfigError("--range is for images; the samples of this dataset are none");
  return std::make_unique<VectorArray>(std::move(file));
}

}  // namespace

ValueRange parse_value_range(std::string_view text) {
  if (text == "0..1") return {0, 1};
  if (text == "-1..1") return {-1, 1};
  throw ConfigError("--range: expected " + std::string(kRanges) + ", found \"" + shortened(text) +
                    "\"");
}

std::unique_ptr<GivenSamples> open_sample_files(const fs::path& path, SampleKind kind,
                                                SampleShape shape,
                                                const std::optional<ValueRange>& range) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (kind != SampleKind::kImage) {
      throw DataError(path.string() + ": expected a .npy file with points, found a folder");
    }
    if (range) throw ConfigError("--range is for floats in a .npy file; pictures have bytes");
    return std::make_unique<PictureFolder>(pictures_in(path), shape);
  }
  auto file = std::make_unique<NpyFile>(path);
  return kind == SampleKind::kImage ? open_images(std::move(file), shape, range)
                                    : open_vectors(std::move(file), shape, range);
}

}  // namespace lipizz::data
