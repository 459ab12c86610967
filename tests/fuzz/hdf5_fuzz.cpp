// Arrays of HDF5 files.
#include <algorithm>
#include <vector>

#include "data/hdf5.hpp"
#include "fuzz.hpp"

namespace {

using lipizz::data::ElementType;

template <class Value>
void read_some(const lipizz::data::Hdf5File& file) {
  constexpr std::uint64_t kMostValues = 1U << 16;
  const auto& layout = file.layout();
  if (layout.row_size() > kMostValues) return;
  const std::uint64_t n_rows = std::min(layout.n_rows(), kMostValues / layout.row_size());
  std::vector<Value> values(n_rows * layout.row_size());
  file.read(0, values);
  file.read(layout.n_rows() - n_rows, values);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const lipizz::fuzz::MemoryFile memory(lipizz::fuzz::bytes(data, n_bytes));
  for (const char* name : {"", "x"}) {
    lipizz::fuzz::accepts([&] {
      const lipizz::data::Hdf5File file(memory.path(), name);
      file.layout().type == ElementType::kUint8 ? read_some<std::uint8_t>(file)
                                                : read_some<float>(file);
    });
  }
  return 0;
}
