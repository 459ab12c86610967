// Points.
#include <algorithm>
#include <cmath>

#include "data/csv.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  lipizz::fuzz::accepts([&] {
    const lipizz::data::PointTable table = lipizz::data::parse_csv({data, n_bytes}, "a.csv");
    const bool is_whole = table.n_rows() * table.n_columns == table.values.size();
    const bool is_finite =
        std::ranges::all_of(table.values, [](float x) { return std::isfinite(x); });
    if (!is_whole || !is_finite || table.values.empty()) std::abort();
  });
  return 0;
}
