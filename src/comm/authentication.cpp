#include "comm/authentication.hpp"

#include <sodium.h>

#include <algorithm>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

static_assert(sizeof(AuthenticationKey) == crypto_shorthash_siphashx24_KEYBYTES);
static_assert(sizeof(AuthenticationCode) == crypto_shorthash_siphashx24_BYTES);

const unsigned char* raw(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

template <class T>
void append(Bytes& bytes, const T& value) {
  const auto added = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), added.begin(), added.end());
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

AuthenticationCode Authenticator::code_of(std::span<const std::byte> bytes) const {
  AuthenticationCode code;
  crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(code.data()), raw(bytes),
                              bytes.size(), raw(key_));
  return code;
}

bool Authenticator::is_code_of(const AuthenticationCode& code,
                               std::span<const std::byte> bytes) const {
  return is_equal(code, code_of(bytes));
}

// The route is hashed behind the message, and does not travel.
AuthenticationCode Authenticator::code_of(const Route& route, Bytes& numbered) const {
  const std::size_t n_bytes = numbered.size();
  append(numbered,
         std::array<std::int32_t, 4>{static_cast<std::int32_t>(route.scope), route.source.value,
                                     route.destination.value, route.tag});
  const AuthenticationCode code = code_of(numbered);
  numbered.resize(n_bytes);
  return code;
}

Bytes Authenticator::protect(const Route& route, Bytes payload) {
  payload.reserve(payload.size() + kAddedBytes);
  append(payload, ++sent_[{route.scope, route.destination}]);
  append(payload, code_of(route, payload));
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
