// The safetensors container: whole files, and headers without the hash that guards the rest.
#include <string_view>

#include "checkpoint/cell_origin.hpp"
#include "checkpoint/safetensors.hpp"
#include "checkpoint/tensor_header.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const auto input = fuzz::bytes(data, n_bytes);
  fuzz::accepts([&] { checkpoint::decode_tensors({input.begin(), input.end()}, "fuzz"); });
  if (n_bytes == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, n_bytes - 1);
  fuzz::accepts([&] {
    const auto header = checkpoint::parse_header(text, std::uint64_t{4} * data[0], "fuzz");
    checkpoint::origin_of(header.metadata, "fuzz");
  });
  return 0;
}
