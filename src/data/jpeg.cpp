#include "data/jpeg.hpp"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

// It uses what <cstdio> and <cstddef> declare without including them.
#include <jpeglib.h>
// After it, whose types it uses.
#include <jerror.h>

#include "data/files.hpp"

namespace lipizz::data {
namespace {

// Bounds how many passes over its pixels a progressive file can ask for.
constexpr std::size_t most_bytes(std::uint32_t max_pixels) {
  return std::size_t{8} * max_pixels + (1U << 16);
}

/// libjpeg reports trouble by a function that must not return to it. Ours jumps back into
/// attempt(), over frames of libjpeg and of a step, which hold nothing that wants destroying.
class JpegDecoder {
 public:
  explicit JpegDecoder(const std::vector<std::uint8_t>& bytes) {
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

}  // namespace

Image read_jpeg(const std::filesystem::path& path, std::uint32_t max_pixels) {
  const std::vector<std::uint8_t> bytes = read_file(path, most_bytes(max_pixels));
  JpegDecoder decoder(bytes);
  if (!decoder.is_open()) refuse_file(path, "no good JPEG: " + decoder.reason());
  if (std::uint64_t{decoder.width()} * decoder.height() > max_pixels) {
    refuse_file(path, "expected at most " + std::to_string(max_pixels) + " pixels, found " +
                          std::to_string(decoder.width()) + " x " +
                          std::to_string(decoder.height()));
  }
  if (!decoder.is_grey() && !decoder.is_colour()) {
    refuse_file(path, "expected a JPEG in grey or in red, green and blue");
  }
  Image image(decoder.width(), decoder.height(), decoder.is_grey() ? 1 : 3);
  if (!decoder.read(image)) refuse_file(path, "damaged JPEG: " + decoder.reason());
  return image;
}

}  // namespace lipizz::data
