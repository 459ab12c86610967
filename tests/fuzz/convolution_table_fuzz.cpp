// Tables of convolutions: what is taken is written as text that is taken again and means the same.
#include <cstdlib>
#include <string_view>

#include "fuzz.hpp"
#include "nn/graph/convolution_table.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const std::string_view text(reinterpret_cast<const char*>(data), n_bytes);
  nn::ConvolutionTable table;
  if (!fuzz::accepts([&] { table = nn::ConvolutionTable::parse(text, "fuzz"); })) return 0;
  const auto again = nn::ConvolutionTable::parse(table.to_json(), "again");
  if (again.to_json() != table.to_json() || again.hash() != table.hash()) std::abort();
  return 0;
}
