#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace lipizz::hash_test {
namespace {

std::vector<std::byte> counting(std::size_t n) {
  std::vector<std::byte> data(n);
  for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<std::byte>(i * 37 + 1);
  return data;
}

TEST(Hasher, does_not_depend_on_how_the_bytes_were_cut) {
  const auto data = counting(61);
  Hasher whole;
  whole.bytes(data);
  for (std::size_t cut = 0; cut <= data.size(); ++cut) {
    Hasher parts;
    parts.bytes(std::span(data).first(cut));
    parts.bytes(std::span(data).subspan(cut));
    EXPECT_EQ(parts.digest(), whole.digest()) << cut;
  }
}

TEST(Hasher, every_flipped_bit_and_every_length_changes_it) {
  std::set<std::uint64_t> seen;
  for (std::size_t n = 0; n < 40; ++n) {
    Hasher h;
    h.bytes(std::vector<std::byte>(n));
    EXPECT_TRUE(seen.insert(h.digest()).second) << n;
  }
  auto data = counting(40);
  for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
    data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    Hasher h;
    h.bytes(data);
    EXPECT_TRUE(seen.insert(h.digest()).second) << bit;
    data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  }
}

TEST(Hasher, is_the_same_on_every_machine) {
  Hasher h;
  h.text("lipizz");
  EXPECT_EQ(to_hex(h.digest()), "6627d35f8ddc1323");
}

}  // namespace
}  // namespace lipizz::hash_test
