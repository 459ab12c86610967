#include "core/universal_hash.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace lipizz::universal_hash_test {
namespace {

UniversalHash::Key drawn_key(std::uint32_t seed) {
  std::mt19937 random(seed);
  UniversalHash::Key key;
  for (std::uint32_t& word : key) word = static_cast<std::uint32_t>(random());
  return key;
}

Bytes drawn_bytes(std::size_t n) {
  std::mt19937 random(3);
  Bytes bytes(n);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

// As the paper defines it, a sum and a block at a time.
std::vector<std::uint64_t> defined(const UniversalHash::Key& key, Bytes bytes) {
  std::vector<std::uint64_t> sums;
  bytes.resize((bytes.size() + 1023) / 1024 * 1024, std::byte{0});
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  for (std::size_t block = 0; block < words.size(); block += 256) {
    for (const std::size_t shift : {0, 4}) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < 256; i += 2) {
        const std::uint32_t one = words[block + i] + key[i + shift];
        const std::uint32_t other = words[block + i + 1] + key[i + 1 + shift];
        sum += std::uint64_t{one} * other;
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

TEST(UniversalHash, is_nh_with_two_sums_for_each_block) {
  const UniversalHash::Key key = drawn_key(1);
  for (const std::size_t n : {1, 1023, 1024, 1025, 5000, 65536}) {
    const Bytes bytes = drawn_bytes(n);
    const Bytes digest = UniversalHash::digest(key, bytes);
    const std::vector<std::uint64_t> expected = defined(key, bytes);
    ASSERT_EQ(digest.size(), expected.size() * sizeof(std::uint64_t)) << n;
    EXPECT_EQ(std::memcmp(digest.data(), expected.data(), digest.size()), 0) << n;
  }
  EXPECT_TRUE(UniversalHash::digest(key, {}).empty());
}

TEST(UniversalHash, looks_at_each_byte_and_at_the_key) {
  const Bytes bytes = drawn_bytes(1100);
  const Bytes digest = UniversalHash::digest(drawn_key(1), bytes);
  EXPECT_NE(UniversalHash::digest(drawn_key(2), bytes), digest);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes other = bytes;
    other[i] ^= std::byte{1};
    EXPECT_NE(UniversalHash::digest(drawn_key(1), other), digest) << i;
  }
}

}  // namespace
}  // namespace lipizz::universal_hash_test
