// Photos.
#include "data/jpeg.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  constexpr std::uint32_t kMostPixels = 1U << 16;
  const lipizz::fuzz::MemoryFile file(lipizz::fuzz::bytes(data, n_bytes));
  lipizz::fuzz::accepts([&] { lipizz::data::read_jpeg(file.path(), kMostPixels); });
  return 0;
}
