#include "comm/authentication.hpp"

#include <sodium.h>

#include <algorithm>
#include <type_traits>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr std::size_t kShortKeyBytes = crypto_shorthash_siphashx24_KEYBYTES;
static_assert(sizeof(AuthenticationKey) == kShortKeyBytes + crypto_stream_chacha20_ietf_KEYBYTES);
static_assert(sizeof(AuthenticationCode) == crypto_shorthash_siphashx24_BYTES);

const unsigned char* raw(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

template <class T>
void append_value(Bytes& bytes, const T& value) {
  append(bytes, std::as_bytes(std::span(&value, 1)));
}

template <class T>
T take_last(Bytes& bytes) {
  T value;
  const std::size_t rest = bytes.size() - sizeof(T);
  std::ranges::copy(std::span(bytes).subspan(rest),
                    std::as_writable_bytes(std::span(&value, 1)).begin());
  bytes.resize(rest);
  return value;
}

// Takes as long wherever they differ.
bool is_equal(const AuthenticationCode& one, const AuthenticationCode& other) {
  return sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace

AuthenticationKey Authenticator::draw_key() {
  if (sodium_init() < 0) throw CommError("no random numbers for the key of this run's messages");
  AuthenticationKey key;
  randombytes_buf(key.data(), key.size());
  return key;
}

Authenticator::Authenticator(const AuthenticationKey& key) {
  std::ranges::copy(std::span(key).first<kShortKeyBytes>(), short_key_.begin());
  static_assert(std::has_unique_object_representations_v<LongKeys>);
  constexpr std::array<unsigned char, crypto_stream_chacha20_ietf_NONCEBYTES> kNonce{};
  crypto_stream_chacha20_ietf(reinterpret_cast<unsigned char*>(&long_keys_), sizeof long_keys_,
                              kNonce.data(), raw(std::span(key).subspan<kShortKeyBytes>()));
}

AuthenticationCode Authenticator::code_of(std::span<const std::byte> bytes,
                                          std::span<const std::byte> behind) const {
  const bool is_long = bytes.size() > UniversalHash::kBlockBytes;
  Bytes hashed =
      is_long ? UniversalHash::digest(long_keys_.digest, bytes) : Bytes(bytes.begin(), bytes.end());
  if (is_long) append_value(hashed, static_cast<std::uint64_t>(bytes.size()));
  append(hashed, behind);
  AuthenticationCode code;
  crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(code.data()), raw(hashed),
                              hashed.size(), raw(is_long ? long_keys_.code : short_key_));
  return code;
}

AuthenticationCode Authenticator::code_of(std::span<const std::byte> bytes) const {
  return code_of(bytes, {});
}

bool Authenticator::is_code_of(const AuthenticationCode& code,
                               std::span<const std::byte> bytes) const {
  return is_equal(code, code_of(bytes));
}

// The route is hashed behind the message, and does not travel.
AuthenticationCode Authenticator::code_of(const Route& route, const Bytes& numbered) const {
  const std::array<std::int32_t, 4> way{static_cast<std::int32_t>(route.scope), route.source.value,
                                        route.destination.value, route.tag};
  return code_of(numbered, std::as_bytes(std::span(way)));
}

Bytes Authenticator::protect(const Route& route, Bytes payload) {
  static_assert(kAddedBytes <= ByteWriter::kRoomBehind, "messages stay where they are written");
  make_room(payload, payload.size() + kAddedBytes);
  append_value(payload, ++sent_[{route.scope, route.destination}]);
  append_value(payload, code_of(route, payload));
  return payload;
}

std::optional<Bytes> Authenticator::open(const Route& route, Bytes message) {
  if (message.size() < kAddedBytes) return std::nullopt;
  const auto code = take_last<AuthenticationCode>(message);
  if (!is_equal(code, code_of(route, message))) return std::nullopt;
  const auto number = take_last<std::uint64_t>(message);
  std::uint64_t& last = received_[{route.scope, route.source}];
  if (number <= last) return std::nullopt;
  last = number;
  return message;
}

}  // namespace lipizz::comm
