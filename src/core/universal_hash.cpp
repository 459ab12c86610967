#include "core/universal_hash.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>

namespace lipizz {
namespace {

using Sums = std::array<std::uint64_t, 2>;
static_assert(sizeof(Sums) == UniversalHash::kDigestBytes);

// Neighbouring words are added to the key's, modulo 2^32, and multiplied; the second sum has the
// same words with a shifted key (Toeplitz), which squares the probability.
#ifdef __SSE2__

// Two such products for each register of four words.
class Sum {
 public:
  void add(__m128i words, __m128i key) {
    const __m128i added = _mm_add_epi32(words, key);
    sums_ = _mm_add_epi64(sums_, _mm_mul_epu32(added, _mm_srli_epi64(added, 32)));
  }
  [[nodiscard]] std::uint64_t value() const {
    const auto both = std::bit_cast<std::array<std::uint64_t, 2>>(sums_);
    return both[0] + both[1];
  }

 private:
  __m128i sums_ = _mm_setzero_si128();
};

Sums sums_of(const std::byte* block, const UniversalHash::Key& key) {
  const auto four = [](const void* words) {
    return _mm_loadu_si128(static_cast<const __m128i*>(words));
  };
  static_assert(UniversalHash::kShift == 4);
  Sum first;
  Sum second;
  __m128i key_here = four(key.data());
  for (std::size_t i = 0; i < UniversalHash::kWords; i += 4) {
    const __m128i words = four(block + i * sizeof(std::uint32_t));
    const __m128i key_behind = four(&key[i + 4]);
    first.add(words, key_here);
    second.add(words, key_behind);
    key_here = key_behind;
  }
  return {first.value(), second.value()};
}

#else

Sums sums_of(const std::byte* block, const UniversalHash::Key& key) {
  Sums sums{};
  for (std::size_t i = 0; i < UniversalHash::kWords; i += 2) {
    std::array<std::uint32_t, 2> words;
    std::memcpy(words.data(), block + i * sizeof(std::uint32_t), sizeof words);
    const auto product = [&](std::size_t shift) {
      const std::uint32_t one = words[0] + key[i + shift];
      const std::uint32_t other = words[1] + key[i + shift + 1];
      return std::uint64_t{one} * other;
    };
    sums[0] += product(0);
    sums[1] += product(UniversalHash::kShift);
  }
  return sums;
}

#endif

}  // namespace

Bytes UniversalHash::digest(const Key& key, std::span<const std::byte> bytes) {
  const std::size_t n_blocks = (bytes.size() + kBlockBytes - 1) / kBlockBytes;
  Bytes digests(n_blocks * kDigestBytes);
  std::byte* to = digests.data();
  const auto put = [&](const std::byte* block) {
    const Sums sums = sums_of(block, key);
    std::memcpy(to, sums.data(), sizeof sums);
    to += sizeof sums;
  };
  for (; bytes.size() >= kBlockBytes; bytes = bytes.subspan(kBlockBytes)) put(bytes.data());
  if (bytes.empty()) return digests;
  std::array<std::byte, kBlockBytes> last{};
  std::ranges::copy(bytes, last.begin());
  put(last.data());
  return digests;
}

}  // namespace lipizz
