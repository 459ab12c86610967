#include "data/png.hpp"

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <new>
#include <span>
#include <string>

#include "core/atomic_file.hpp"
#include "core/bytes.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "data/opened_file.hpp"

namespace lipizz::data {
namespace {

/// A libpng picture with its state; `png_image` is libpng's interface that reports by value.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  ~PngImage() { png_image_free(this); }
};

/// libpng reports trouble by a function that must not return to it. Ours jumps back into attempt(),
/// over frames of libpng and of a step, which hold nothing that wants destroying. It warns of
/// damage that it can get over; here that is trouble too, and what it would only complain about,
/// profiles and texts, is skipped.
class PngDecoder {
 public:
  explicit PngDecoder(std::span<const std::uint8_t> bytes) : rest_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, give_up, give_up);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) throw std::bad_alloc();
    png_set_read_fn(png_, this, take);
  }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

  /// False where the header cannot be read: see reason(). So with the others.
  bool read_header() {
    return attempt([](png_structp png, png_infop info) {
      png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the caller has one of its own
      png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_read_info(png, info);
    });
  }
  [[nodiscard]] std::uint32_t width() const { return png_get_image_width(png_, info_); }
  [[nodiscard]] std::uint32_t height() const { return png_get_image_height(png_, info_); }

  /// Asks for 8 bits, red-green-blue for a palette, and transparency as a channel.
  bool expand() {
    return attempt([this](png_structp png, png_infop info) {
      png_set_expand(png);
      png_set_scale_16(png);
      n_passes_ = png_set_interlace_handling(png);
      png_read_update_info(png, info);
    });
  }
  /// 1 or 3, and one more with transparency.
  [[nodiscard]] std::uint32_t channels() const { return png_get_channels(png_, info_); }

  bool read(Image& image) {
    return attempt([&](png_structp png, png_infop) {
      for (int pass = 0; pass < n_passes_; ++pass) {
        for (std::uint32_t y = 0; y < image.height; ++y) {
          png_read_row(png, image.pixel(0, y), nullptr);
        }
      }
      png_read_end(png, nullptr);
    });
  }

  [[nodiscard]] std::string reason() const { return reason_.data(); }

 private:
  [[noreturn]] static void give_up(png_structp png, png_const_charp message) {
    auto& decoder = *static_cast<PngDecoder*>(png_get_error_ptr(png));
    std::strncpy(decoder.reason_.data(), message, decoder.reason_.size() - 1);
    std::longjmp(decoder.back_, 1);
  }

  static void take(png_structp png, png_bytep out, std::size_t n) {
    auto& rest = static_cast<PngDecoder*>(png_get_io_ptr(png))->rest_;
    if (n > rest.size()) give_up(png, "the file ends too soon");
    std::memcpy(out, rest.data(), n);
    rest = rest.subspan(n);
  }

  template <class Step>
  bool attempt(const Step& step) {
    if (setjmp(back_) != 0) return false;
    step(png_, info_);
    return true;
  }

  std::span<const std::uint8_t> rest_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int n_passes_ = 1;
  std::jmp_buf back_{};
  std::array<char, 256> reason_{};
};

/// The picture without its last channel, transparency, laid over white.
Image over_white(const Image& image) {
  constexpr std::uint32_t kWhite = 255;
  Image out(image.width, image.height, image.channels - 1);
  const std::uint8_t* from = image.pixels.data();
  for (std::uint8_t* to = out.pixels.data(); to != out.pixels.data() + out.pixels.size();
       to += out.channels, from += image.channels) {
    const std::uint32_t opacity = from[out.channels];
    for (std::uint32_t c = 0; c < out.channels; ++c) {
      const std::uint32_t sum = from[c] * opacity + kWhite * (kWhite - opacity);
      to[c] = static_cast<std::uint8_t>((sum + kWhite / 2) / kWhite);
    }
  }
  return out;
}

}  // namespace

Bytes encode_png(const Image& image) {
  LIPIZZ_ASSERT(image.channels == 1 || image.channels == 3);
  PngImage png;
  png.width = image.width;
  png.height = image.height;
  png.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  Bytes bytes(PNG_IMAGE_PNG_SIZE_MAX(png));
  png_alloc_size_t n_bytes = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &n_bytes, 0, image.pixels.data(), 0, nullptr) ==
      0) {
    throw InternalError(std::string("cannot encode a picture: ") + png.message);
  }
  bytes.resize(n_bytes);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_atomically(path, encode_png(image));
}

Image decode_png(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                 std::uint32_t max_pixels) {
  const auto refuse = [&](const std::string& what) {
    throw DataError(path.string() + ": " + what);
  };
  PngDecoder decoder(bytes);
  if (!decoder.read_header()) refuse("no good PNG: " + decoder.reason());
  if (std::uint64_t{decoder.width()} * decoder.height() > max_pixels) {
    refuse("expected at most " + std::to_string(max_pixels) + " pixels, found " +
           std::to_string(decoder.width()) + " x " + std::to_string(decoder.height()));
  }
  if (!decoder.expand()) refuse("damaged PNG: " + decoder.reason());
  Image image(decoder.width(), decoder.height(), decoder.channels());
  if (!decoder.read(image)) refuse("damaged PNG: " + decoder.reason());
  return image.channels % 2 == 0 ? over_white(image) : image;
}

Image read_png(const std::filesystem::path& path, std::uint32_t max_pixels) {
  return decode_png(OpenedFile(path).content(most_picture_bytes(max_pixels)), path, max_pixels);
}

}  // namespace lipizz::data
