#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "data/dataset.hpp"
#include "data/image.hpp"
#include "data/png.hpp"

namespace lipizz::data::testing {

/// A picture of one colour but for its corner; each `value` makes another.
inline Image plain(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                   std::uint8_t value) {
  Image image(width, height, channels, value);
  image.pixels.front() = static_cast<std::uint8_t>(255 - value);
  return image;
}

inline void put_png(const std::filesystem::path& path, const Image& image) {
  std::filesystem::create_directories(path.parent_path());
  write_png(path, image);
}

inline void put_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// Options for files of one's own; what is logged is kept in `lines`.
struct OwnOptions {
  explicit OwnOptions(const std::filesystem::path& path) {
    options.own.path = path;
    options.n_readers = 3;
    options.log.info = [this](std::string_view line) { lines += std::string(line) + "\n"; };
  }
  OwnOptions(const OwnOptions&) = delete;
  OwnOptions& operator=(const OwnOptions&) = delete;

  OpenOptions options;
  std::string lines;
};

}  // namespace lipizz::data::testing
