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

TEST(Bytes, are_copied_after_their_count) {
  ByteWriter writer;
  const Bytes some(300, std::byte{7});
  writer.values<std::byte>(some);
  writer.value(std::uint64_t{1});
  const Bytes bytes = writer.take();
  ByteReader reader(bytes, "a test");
  EXPECT_EQ(reader.bytes(), some);
  EXPECT_THROW(reader.bytes(), CommError);
}

TEST(Bytes, appending_and_making_room_keep_what_is_there) {
  Bytes bytes;
  append(bytes, {});
  EXPECT_TRUE(bytes.empty());
  for (int i = 0; i < 1000; ++i) {
    const std::vector<std::byte> some(static_cast<std::size_t>(i % 7), static_cast<std::byte>(i));
    append(bytes, some);
    if (i % 100 == 0) make_room(bytes, bytes.size() + 1);
  }
  std::size_t place = 0;
  for (int i = 0; i < 1000; ++i) {
    for (int k = 0; k < i % 7; ++k) ASSERT_EQ(bytes.at(place++), static_cast<std::byte>(i));
  }
  EXPECT_EQ(place, bytes.size());
  const std::byte* const before = bytes.data();
  make_room(bytes, bytes.size());
  EXPECT_EQ(bytes.data(), before) << "there is room";
}

}  // namespace
}  // namespace lipizz::bytes_test
