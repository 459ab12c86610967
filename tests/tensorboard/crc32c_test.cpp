#include "tensorboard/crc32c.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lipizz::tensorboard::crc32c_test {
namespace {

// RFC 3720, appendix B.4.
TEST(Crc32c, is_that_of_the_examples_of_its_standard) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(crc32c(std::string(rising.rbegin(), rising.rend())), 0x113FDB5CU);
}

TEST(Crc32c, is_that_of_the_digits_that_catalogues_of_checksums_list) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

// By hand: 0x00000001 turned right by 15 bits is 0x00020000.
TEST(Crc32c, is_masked_as_records_store_it) {
  EXPECT_EQ(masked(0), 0xA282EAD8U);
  EXPECT_EQ(masked(1), 0xA284EAD8U);
  EXPECT_EQ(masked(0x8000), 0xA282EAD9U);
}

}  // namespace
}  // namespace lipizz::tensorboard::crc32c_test
