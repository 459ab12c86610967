#include "coev/offspring_seed.hpp"

#include "core/random.hpp"

namespace lipizz::coev {

std::uint64_t seed_of_offspring(std::uint64_t seed, std::uint32_t number) {
  if (number == 0) return seed;
  const Random::Block words = Random(seed, Purpose::kOffspring).block(number);
  return std::uint64_t{words[0]} << 32 | words[1];
}

}  // namespace lipizz::coev
