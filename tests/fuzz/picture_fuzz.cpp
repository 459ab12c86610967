// The beginning of a PNG that TensorBoard is shown. Its bytes are kept as they are.
#include <string>

#include "fuzz.hpp"
#include "tensorboard/picture.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const std::string png(reinterpret_cast<const char*>(data), n_bytes);
  const auto picture = tensorboard::parse_picture(png);
  if (picture && (picture->png != png || picture->width == 0 || picture->height == 0)) std::abort();
  return 0;
}
