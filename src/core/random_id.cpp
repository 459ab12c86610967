#include "core/random_id.hpp"

#include <cstdint>
#include <random>

#include "core/hash.hpp"

namespace lipizz {

std::string random_id() {
  std::random_device device;
  const std::uint64_t high = device();
  return to_hex(high << 32 | device());
}

}  // namespace lipizz
