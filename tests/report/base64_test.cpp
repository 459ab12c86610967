#include "report/base64.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace lipizz::report::base64_test {
namespace {

std::string of(std::string_view text) {
  return base64(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(Base64, is_that_of_rfc_4648) {
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foob"), "Zm9vYg==");
  EXPECT_EQ(of("fooba"), "Zm9vYmE=");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
}

TEST(Base64, bytes_above_127_are_bytes) {
  EXPECT_EQ(of("\xff\xfe\xfd\x80"), "//79gA==");
}

TEST(Base64, tells_its_length) {
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_EQ(of(std::string(n, 'a')).size(), base64_size(n));
  }
}

}  // namespace
}  // namespace lipizz::report::base64_test
