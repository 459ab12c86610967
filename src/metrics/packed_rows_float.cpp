#include "metrics/packed_tile.hpp"

namespace lipizz::metrics {
namespace {

#ifdef LIPIZZ_AVX512
LIPIZZ_AVX512 void compute_tile(const float* rows, const float* columns, std::size_t n,
                                float* out) {
  multiply_in_registers<64, 8>(rows, columns, n, out);
}
LIPIZZ_AVX2 void compute_tile(const float* rows, const float* columns, std::size_t n, float* out) {
  multiply_in_registers<32, 4>(rows, columns, n, out);
}
#endif
LIPIZZ_BASELINE void compute_tile(const float* rows, const float* columns, std::size_t n,
                                  float* out) {
  multiply_in_registers<16, 4>(rows, columns, n, out);
}

}  // namespace

template <>
void PackedRows<float>::multiply_tile(const float* rows, const float* columns, std::size_t n,
                                      float* out) {
  compute_tile(rows, columns, n, out);
}

}  // namespace lipizz::metrics
