// Arrays of numpy: the file, and its dictionary alone.
#include <algorithm>
#include <string_view>
#include <vector>

#include "data/npy.hpp"
#include "data/npy_header.hpp"
#include "fuzz.hpp"

namespace {

using lipizz::data::ElementType;

template <class Value>
void read_all(const lipizz::data::NpyFile& file) {
  const auto& layout = file.layout();
  std::vector<Value> values(layout.n_rows() * layout.row_size());
  file.read(0, values);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const lipizz::fuzz::MemoryFile memory(lipizz::fuzz::bytes(data, n_bytes));
  lipizz::fuzz::accepts([&] {
    const lipizz::data::NpyFile file(memory.path());
    if (file.layout().n_bytes() >= n_bytes) std::abort();
    file.layout().type == ElementType::kUint8 ? read_all<std::uint8_t>(file)
                                              : read_all<float>(file);
  });
  const std::string_view text(reinterpret_cast<const char*>(data), n_bytes);
  const auto header = lipizz::data::parse_npy_header(text);
  if (!header || header->shape.empty() || header->shape.size() > 1000) return 0;
  // It comes back from what is written of it.
  if (header->descr.find('\'') != std::string::npos || header->descr.size() > 1000) return 0;
  const std::string written = lipizz::data::npy_preamble(*header);
  const auto again = lipizz::data::parse_npy_header(std::string_view(written).substr(10));
  if (!again || again->shape != header->shape || again->descr != header->descr) std::abort();
  return 0;
}
