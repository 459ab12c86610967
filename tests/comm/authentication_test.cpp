#include "comm/authentication.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "comm/test_world.hpp"

namespace lipizz::comm::authentication_test {
namespace {

using ::testing::Optional;

constexpr AuthenticationKey key_of(int value) {
  AuthenticationKey key;
  key.fill(static_cast<std::byte>(value));
  return key;
}

const Route kRoute{.scope = Scope::kGlobal, .source = {1}, .destination = {2}, .tag = 6};

struct Pair {
  Authenticator sender{key_of(1)};
  Authenticator receiver{key_of(1)};
};

TEST(Authenticator, gives_back_what_was_protected) {
  Pair pair;
  for (const std::size_t n_bytes : {0, 1, 15, 16, 100'000}) {
    const Bytes message = pair.sender.protect(kRoute, filled(n_bytes, 7));
    EXPECT_EQ(message.size(), n_bytes + Authenticator::kAddedBytes);
    EXPECT_THAT(pair.receiver.open(kRoute, message), Optional(filled(n_bytes, 7)));
  }
}

// The test vector of the reference implementation: key 00 01 ... 0f, message 00 01 ... 0e.
TEST(Authenticator, is_siphash_2_4_with_128_bits) {
  AuthenticationKey key{};
  Bytes message;
  for (std::size_t i = 0; i < 16; ++i) key[i] = static_cast<std::byte>(i);
  for (int i = 0; i < 15; ++i) message.push_back(static_cast<std::byte>(i));
  constexpr std::array<int, 16> kExpected{0x54, 0x93, 0xe9, 0x99, 0x33, 0xb0, 0xa8, 0x11,
                                          0x7e, 0x08, 0xec, 0x0f, 0x97, 0xcf, 0xc3, 0xd9};
  AuthenticationCode expected;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<std::byte>(kExpected[i]);
  }
  EXPECT_EQ(Authenticator(key).code_of(message), expected);
}

TEST(Authenticator, refuses_what_another_key_protected) {
  Authenticator stranger(key_of(2));
  EXPECT_FALSE(Pair().receiver.open(kRoute, stranger.protect(kRoute, filled(10, 1))));
  EXPECT_NE(Authenticator::draw_key(), Authenticator::draw_key());
}

TEST(Authenticator, refuses_every_flipped_bit_and_every_other_length) {
  Pair pair;
  const Bytes message = pair.sender.protect(kRoute, filled(20, 1));
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    Bytes damaged = message;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_FALSE(pair.receiver.open(kRoute, damaged)) << bit;
  }
  for (std::size_t n_bytes = 0; n_bytes < message.size(); ++n_bytes) {
    EXPECT_FALSE(pair.receiver.open(kRoute, {message.begin(), message.begin() + long(n_bytes)}));
  }
  EXPECT_TRUE(pair.receiver.open(kRoute, message));
}

// Longer than a block of the digest, and ending in zeros, as which its last block is filled up.
TEST(Authenticator, refuses_a_long_message_that_is_changed_or_cut) {
  Pair pair;
  Bytes payload = filled(5000, 1);
  std::fill(payload.end() - 500, payload.end(), std::byte{0});
  const AuthenticationCode code = pair.sender.code_of(payload);
  for (std::size_t i = 0; i < payload.size(); i += 7) {
    Bytes damaged = payload;
    damaged[i] ^= std::byte{0x10};
    EXPECT_FALSE(pair.receiver.is_code_of(code, damaged)) << i;
  }
  for (std::size_t n_bytes = 1; n_bytes < payload.size(); n_bytes += 7) {
    EXPECT_FALSE(pair.receiver.is_code_of(code, std::span(payload).first(n_bytes))) << n_bytes;
  }
  EXPECT_TRUE(pair.receiver.is_code_of(code, payload));
  const Bytes message = pair.sender.protect(kRoute, payload);
  EXPECT_FALSE(Authenticator(key_of(2)).open(kRoute, message));
  EXPECT_TRUE(pair.receiver.open(kRoute, message));
}

TEST(Authenticator, draws_the_keys_of_long_messages_from_the_rest_of_the_key) {
  AuthenticationKey other = key_of(1);
  other.back() = std::byte{2};
  const Authenticator one(key_of(1));
  EXPECT_EQ(one.code_of(filled(1024, 1)), Authenticator(other).code_of(filled(1024, 1)));
  EXPECT_NE(one.code_of(filled(1025, 1)), Authenticator(other).code_of(filled(1025, 1)));
}

TEST(Authenticator, binds_a_message_to_its_route) {
  for (const std::size_t n_bytes : {3, 3000}) {
    Pair pair;
    const Bytes message = pair.sender.protect(kRoute, filled(n_bytes, 1));
    for (const Route& other : std::vector<Route>{{Scope::kWorld, {1}, {2}, 6},
                                                 {Scope::kGlobal, {3}, {2}, 6},
                                                 {Scope::kGlobal, {1}, {3}, 6},
                                                 {Scope::kGlobal, {1}, {2}, 10}}) {
      EXPECT_FALSE(pair.receiver.open(other, message));
    }
  }
}

TEST(Authenticator, takes_each_message_once_and_none_behind_a_later_one) {
  Pair pair;
  const Bytes first = pair.sender.protect(kRoute, filled(1, 1));
  const Bytes second = pair.sender.protect(kRoute, filled(1, 2));
  const Bytes third = pair.sender.protect(kRoute, filled(1, 3));
  EXPECT_TRUE(pair.receiver.open(kRoute, first));
  EXPECT_TRUE(pair.receiver.open(kRoute, third)) << "the second was given up";
  EXPECT_FALSE(pair.receiver.open(kRoute, first));
  EXPECT_FALSE(pair.receiver.open(kRoute, second));
  EXPECT_FALSE(pair.receiver.open(kRoute, third));
}

TEST(Authenticator, numbers_each_receiver_and_communicator_by_itself) {
  Pair pair;
  Route other = kRoute;
  other.destination = {3};
  EXPECT_TRUE(pair.sender.protect(other, {}).front() == std::byte{1});
  EXPECT_TRUE(pair.sender.protect(kRoute, {}).front() == std::byte{1});
  EXPECT_TRUE(pair.sender.protect(kRoute, {}).front() == std::byte{2});
  other = kRoute;
  other.scope = Scope::kWorld;
  EXPECT_TRUE(pair.sender.protect(other, {}).front() == std::byte{1});
}

}  // namespace
}  // namespace lipizz::comm::authentication_test
