#include "tensorboard/record.hpp"

#include <cstdint>

#include "core/bytes.hpp"
#include "tensorboard/crc32c.hpp"

namespace lipizz::tensorboard {
namespace {

template <class Number>
void append(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

std::string record(std::string_view data) {
  std::string text;
  text.reserve(data.size() + 16);
  append(text, static_cast<std::uint64_t>(data.size()));
  append(text, masked(crc32c(text)));
  text += data;
  append(text, masked(crc32c(data)));
  return text;
}

}  // namespace lipizz::tensorboard
