#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// It uses what <cstdio> and <cstddef> declare without including them.
#include <jpeglib.h>

#include "data/image.hpp"
#include "data/support.hpp"

namespace lipizz::data {

/// The bytes of a JPEG file with this picture; `channels` 4 is stored as CMYK.
inline Octets jpeg(const Image& image, int quality = 100, bool is_progressive = false) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long n_bytes = 0;
  jpeg_mem_dest(&info, &bytes, &n_bytes);
  info.image_width = image.width;
  info.image_height = image.height;
  info.input_components = static_cast<int>(image.channels);
  info.in_color_space = image.channels == 1   ? JCS_GRAYSCALE
                        : image.channels == 3 ? JCS_RGB
                                              : JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  if (is_progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    auto* row = const_cast<JSAMPROW>(image.pixel(0, y));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  Octets out(bytes, bytes + n_bytes);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return out;
}

}  // namespace lipizz::data
