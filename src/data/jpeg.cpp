#include "data/jpeg.hpp"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <new>
#include <span>
#include <string>

// It uses what <cstdio> and <cstddef> declare without including them.
#include <jpeglib.h>
// After it, whose types it uses.
#include <jerror.h>

#include "core/error.hpp"
#include "data/files.hpp"

namespace lipizz::data {
namespace {

/// libjpeg reports trouble by a function that must not return to it. Ours jumps back into
/// attempt(), over frames of libjpeg and of a step, which hold nothing that wants destroying.
class JpegDecoder {
 public:
  explicit JpegDecoder(std::span<const std::uint8_t> bytes) {
    info_.err = jpeg_std_error(&errors_);
    info_.client_data = this;
    errors_.error_exit = [](j_common_ptr info) { of(info).give_up(); };
    errors_.emit_message = [](j_common_ptr info, int level) {
      constexpr int kWarning = -1;
      if (level <= kWarning) of(info).give_up();
    };
    is_open_ = attempt([&](jpeg_decompress_struct& info) {
      jpeg_create_decompress(&info);
      jpeg_mem_src(&info, bytes.data(), bytes.size());
      jpeg_read_header(&info, TRUE);
    });
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }

  /// True when the header could be read.
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] std::uint32_t width() const { return info_.image_width; }
  [[nodiscard]] std::uint32_t height() const { return info_.image_height; }
  [[nodiscard]] bool is_grey() const { return info_.jpeg_color_space == JCS_GRAYSCALE; }
  [[nodiscard]] bool is_colour() const {
    return info_.jpeg_color_space == JCS_YCbCr || info_.jpeg_color_space == JCS_RGB;
  }

  /// The file's colours, for those that are neither.
  [[nodiscard]] std::string colours() const {
    const bool has_black = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    return has_black ? "CMYK" : std::to_string(info_.num_components) + " unknown channels";
  }

  /// Fills `image`, which has the size and the channels of the header; false: see reason().
  bool read(Image& image) {
    return attempt([&](jpeg_decompress_struct& info) {
      info.out_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
      info.dct_method = JDCT_ISLOW;
      jpeg_start_decompress(&info);
      while (info.output_scanline < info.output_height) {
        JSAMPROW row = image.pixel(0, info.output_scanline);
        jpeg_read_scanlines(&info, &row, 1);
      }
      jpeg_finish_decompress(&info);
    });
  }

  [[nodiscard]] std::string reason() const { return reason_.data(); }

 private:
  static JpegDecoder& of(j_common_ptr info) {
    return *static_cast<JpegDecoder*>(info->client_data);
  }

  [[noreturn]] void give_up() {
    errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), reason_.data());
    std::longjmp(back_, 1);
  }

  template <class Step>
  bool attempt(const Step& step) {
    if (setjmp(back_) != 0) {
      if (errors_.msg_code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
      return false;
    }
    step(info_);
    return true;
  }

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  std::jmp_buf back_;
  std::array<char, JMSG_LENGTH_MAX> reason_{};
  bool is_open_ = false;
};

// `refuse(what)` throws.
template <class Refuse>
Image decode(std::span<const std::uint8_t> bytes, std::uint32_t max_pixels, const Refuse& refuse) {
  JpegDecoder decoder(bytes);
  if (!decoder.is_open()) refuse("no good JPEG: " + decoder.reason());
  if (std::uint64_t{decoder.width()} * decoder.height() > max_pixels) {
    refuse("expected at most " + std::to_string(max_pixels) + " pixels, found " +
           std::to_string(decoder.width()) + " x " + std::to_string(decoder.height()));
  }
  if (!decoder.is_grey() && !decoder.is_colour()) {
    refuse("expected a JPEG in grey or in red, green and blue, found " + decoder.colours());
  }
  Image image(decoder.width(), decoder.height(), decoder.is_grey() ? 1 : 3);
  if (!decoder.read(image)) refuse("damaged JPEG: " + decoder.reason());
  return image;
}

}  // namespace

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::filesystem::path& path,
                  std::uint32_t max_pixels) {
  const auto refuse = [&](const std::string& what) {
    throw DataError(path.string() + ": " + what);
  };
  if (bytes.size() > most_picture_bytes(max_pixels)) {
    refuse("expected at most " + std::to_string(most_picture_bytes(max_pixels)) + " bytes, found " +
           std::to_string(bytes.size()));
  }
  return decode(bytes, max_pixels, refuse);
}

Image read_jpeg(const std::filesystem::path& path, std::uint32_t max_pixels) {
  return decode(read_file(path, most_picture_bytes(max_pixels)), max_pixels,
                [&](const std::string& what) { refuse_file(path, what); });
}

}  // namespace lipizz::data
