#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tensorboard/crc32c.hpp"
#include "tensorboard/event.pb.h"

namespace lipizz::tensorboard {

/// The events of a file, each taken apart by protobuf; throws where a checksum does not fit.
inline std::vector<proto::Event> read_events(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<proto::Event> events;
  const auto check = [&](std::size_t begin, std::size_t n) {
    std::uint32_t stored = 0;
    std::memcpy(&stored, text.substr(begin + n, 4).data(), 4);
    if (stored != masked(crc32c(text.substr(begin, n)))) throw std::runtime_error("checksum");
  };
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t n = 0;
    std::memcpy(&n, text.data() + at, 8);
    check(at, 8);
    check(at + 12, n);
    if (!events.emplace_back().ParseFromString(text.substr(at + 12, n))) {
      throw std::runtime_error("no event");
    }
    at += 12 + n + 4;
  }
  return events;
}

}  // namespace lipizz::tensorboard
