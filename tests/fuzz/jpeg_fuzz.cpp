// Photos, and one of them at another size.
#include "data/jpeg.hpp"
#include "data/picture_file.hpp"
#include "data/resize.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  constexpr std::uint32_t kMostPixels = 1U << 16;
  using namespace lipizz::data;
  const lipizz::fuzz::MemoryFile file(lipizz::fuzz::bytes(data, n_bytes));
  lipizz::fuzz::accepts([&] { read_jpeg(file.path(), kMostPixels); });
  lipizz::fuzz::accepts([&] {
    const Image image = decode_picture({data, n_bytes}, "a.jpg", kMostPixels);
    const Image small = fitted(with_channels(image, 1), 9, 5, Fit::kCrop);
    if (small.pixels.size() != 45) std::abort();
  });
  return 0;
}
