// Records of CIFAR-10: the bytes as they are, and filled up to whole records.
#include <vector>

#include "data/cifar10.hpp"
#include "fuzz.hpp"

namespace {

void read(std::span<const std::byte> content) {
  const lipizz::fuzz::MemoryFile memory(content);
  lipizz::fuzz::accepts([&] {
    lipizz::data::CifarFile file(memory.path());
    std::vector<std::uint8_t> pixels(std::size_t{file.n_records()} * 3072);
    std::vector<lipizz::data::Label> labels(file.n_records());
    file.read(pixels, labels);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  constexpr std::size_t kRecord = 3073;
  const auto content = lipizz::fuzz::bytes(data, n_bytes);
  read(content);
  std::vector<std::byte> records(content.begin(), content.end());
  records.resize((n_bytes / kRecord + 1) * kRecord);
  read(records);
  return 0;
}
