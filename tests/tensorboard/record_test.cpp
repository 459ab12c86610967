#include "tensorboard/record.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "tensorboard/crc32c.hpp"

namespace lipizz::tensorboard::record_test {
namespace {

template <class Number>
Number at(const std::string& text, std::size_t place) {
  Number number;
  std::memcpy(&number, text.data() + place, sizeof number);
  return number;
}

TEST(Record, has_its_length_its_data_and_a_checksum_of_each) {
  const std::string text = record("123456789");
  ASSERT_EQ(text.size(), 8 + 4 + 9 + 4);
  EXPECT_EQ(at<std::uint64_t>(text, 0), 9);
  EXPECT_EQ(at<std::uint32_t>(text, 8), masked(crc32c(text.substr(0, 8))));
  EXPECT_EQ(text.substr(12, 9), "123456789");
  EXPECT_EQ(at<std::uint32_t>(text, 21), masked(0xE3069283));
}

TEST(Record, may_be_empty) {
  EXPECT_EQ(record("").size(), 16);
}

}  // namespace
}  // namespace lipizz::tensorboard::record_test
