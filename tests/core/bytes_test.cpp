#include "core/bytes.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::bytes_test {
namespace {

TEST(Bytes, read_back_what_was_written) {
  ByteWriter writer;
  writer.value(std::uint16_t{7});
  writer.text("cell");
  const std::vector<float> numbers{1.5f, -2.0f};
  writer.values(std::span<const float>(numbers));
  const Bytes bytes = writer.take();

  ByteReader reader(bytes, "a test");
  EXPECT_EQ(reader.value<std::uint16_t>(), 7);
  EXPECT_EQ(reader.text(), "cell");
  EXPECT_EQ(reader.values<float>(), numbers);
  EXPECT_NO_THROW(reader.expect_end());
}

TEST(Bytes, a_length_that_lies_is_refused_before_anything_is_allocated) {
  ByteWriter writer;
  writer.value(std::uint64_t{1} << 61);
  const Bytes bytes = writer.take();
  ByteReader reader(bytes, "a genome");
  try {
    reader.values<double>();
    FAIL();
  } catch (const CommError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("a genome"));
  }
}

TEST(Bytes, another_count_than_expected_is_refused) {
  ByteWriter writer;
  writer.values(std::span<const float>(std::vector<float>(3)));
  const Bytes bytes = writer.take();
  std::vector<float> four(4);
  EXPECT_THROW(ByteReader(bytes, "x").values_into(std::span<float>(four)), CommError);
  EXPECT_THROW(ByteReader(bytes, "x").expect_end(), CommError);
}

}  // namespace
}  // namespace lipizz::bytes_test
