#include "checkpoint/tensor_header.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::checkpoint::tensor_header_test {
namespace {

using ::testing::HasSubstr;

// The complaint of parse_header() about a header, or nothing where it accepts it.
std::string complaint(std::string_view text, std::uint64_t n_data_bytes) {
  try {
    parse_header(text, n_data_bytes, "a file");
    return "";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("a file: "));
    return error.what();
  }
}

std::string tensor(std::string_view type, std::string_view shape, std::string_view offsets) {
  return R"({"dtype":")" + std::string(type) + R"(","shape":)" + std::string(shape) +
         R"(,"data_offsets":)" + std::string(offsets) + "}";
}

TEST(TensorHeader, tensors_come_in_the_order_of_their_data) {
  const std::string text = R"({"__metadata__":{"k":"v"},"a":)" + tensor("U8", "[2]", "[24,26]") +
                           R"(,"b":)" + tensor("F32", "[3,2]", "[0,24]") + "}   ";
  const TensorHeader header = parse_header(text, 26, "a file");
  ASSERT_EQ(header.tensors.size(), 2U);
  EXPECT_EQ(header.tensors[0].name, "b");
  EXPECT_EQ(header.tensors[0].type, DType::kF32);
  EXPECT_EQ(header.tensors[0].shape, (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(header.tensors[1].name, "a");
  EXPECT_EQ(header.n_bytes, (std::vector<std::uint64_t>{24, 2}));
  EXPECT_EQ(header.metadata, (Metadata{{"k", "v"}}));
}

TEST(TensorHeader, a_number_alone_has_no_extents) {
  EXPECT_EQ(complaint(R"({"s":)" + tensor("F64", "[]", "[0,8]") + "}", 8), "");
}

TEST(TensorHeader, is_padded_so_that_the_data_is_aligned) {
  const std::vector<std::byte> data(3);
  const TensorView view{"x", DType::kU8, {3}, data};
  const std::string text = format_header(std::span(&view, 1), {});
  EXPECT_EQ(text.size() % 8, 0U);
  EXPECT_EQ(complaint(text, 3), "");
}

TEST(TensorHeader, holes_overlaps_and_missing_data_are_refused) {
  const auto two = [](std::string_view first, std::string_view second) {
    return R"({"a":)" + tensor("U8", "[4]", first) + R"(,"b":)" + tensor("U8", "[4]", second) + "}";
  };
  EXPECT_EQ(complaint(two("[0,4]", "[4,8]"), 8), "");
  EXPECT_THAT(complaint(two("[0,4]", "[5,9]"), 9), HasSubstr("at byte 4"));
  EXPECT_THAT(complaint(two("[0,4]", "[3,7]"), 7), HasSubstr("found it at 3"));
  EXPECT_THAT(complaint(two("[1,5]", "[5,9]"), 9), HasSubstr("at byte 0"));
  EXPECT_THAT(complaint(two("[0,4]", "[4,8]"), 9), HasSubstr("expected 8 bytes of data, found 9"));
  EXPECT_THAT(complaint(two("[0,4]", "[4,8]"), 7), HasSubstr("found 7"));
  EXPECT_THAT(complaint("{}", 1), HasSubstr("expected 0 bytes"));
}

TEST(TensorHeader, shapes_that_do_not_fit_their_data_are_refused) {
  const auto one = [](std::string_view shape, std::string_view offsets) {
    return R"({"a":)" + tensor("F32", shape, offsets) + "}";
  };
  EXPECT_EQ(complaint(one("[2]", "[0,8]"), 8), "");
  EXPECT_THAT(complaint(one("[3]", "[0,8]"), 8), HasSubstr("\"a\": its shape"));
  EXPECT_THAT(complaint(one("[2]", "[8,0]"), 8), HasSubstr("its shape"));
  EXPECT_THAT(complaint(one("[0]", "[0,0]"), 0), HasSubstr("its shape"));
  // 2^62 * 4 elements of 4 bytes wrap round to nothing, and 2^62 + 2 of them to 8 bytes.
  EXPECT_THAT(complaint(one("[4611686018427387904,4]", "[0,0]"), 0), HasSubstr("its shape"));
  EXPECT_THAT(complaint(one("[4611686018427387906]", "[0,8]"), 8), HasSubstr("its shape"));
}

TEST(TensorHeader, other_values_than_the_format_has_are_refused) {
  const auto one = [](std::string_view type, std::string_view shape, std::string_view offsets) {
    return R"({"a":)" + tensor(type, shape, offsets) + "}";
  };
  EXPECT_THAT(complaint(one("BF16", "[2]", "[0,4]"), 4),
              HasSubstr("expected dtype U8, I64, U64, F32 or F64, found \"BF16\""));
  EXPECT_THAT(complaint(one("U8", "[-1]", "[0,4]"), 4), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint(one("U8", "[1.0]", "[0,1]"), 1), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint(one("U8", "4", "[0,4]"), 4), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint(one("U8", "[4]", "[0,2,4]"), 4), HasSubstr("2 data offsets"));
  EXPECT_THAT(complaint(R"({"a":[]})", 0), HasSubstr("data_offsets"));
  EXPECT_THAT(complaint(R"({"a":{"data_offsets":[0,1],"shape":[1]}})", 1), HasSubstr("dtype"));
  EXPECT_THAT(complaint(R"({"a":{"data_offsets":[0,1],"shape":[1],"dtype":1}})", 1),
              HasSubstr("expected a dtype"));
  EXPECT_THAT(complaint(R"({"__metadata__":{"k":1}})", 0), HasSubstr("expected texts"));
  EXPECT_THAT(complaint("[]", 0), HasSubstr("expected a JSON object"));
}

TEST(TensorHeader, a_number_beyond_all_bounds_is_refused) {
  EXPECT_THAT(complaint(R"({"a":6e99999})", 4), HasSubstr("beyond all bounds"));
  EXPECT_THAT(complaint("622228e2222222222", 4), HasSubstr("beyond all bounds"));
}

TEST(TensorHeader, text_that_is_not_plain_json_is_refused) {
  EXPECT_THAT(complaint("", 0), HasSubstr("not JSON"));
  EXPECT_THAT(complaint(R"({"a":{"dtype":)", 0), HasSubstr("not JSON from byte 15"));
  EXPECT_THAT(complaint("{} {}", 0), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("{\"\xff\":1}", 0), HasSubstr("not JSON"));
  EXPECT_THAT(complaint(R"({"__metadata__":{"k":"1","k":"2"}})", 0), HasSubstr("\"k\" twice"));
  EXPECT_THAT(complaint(std::string(100'000, '['), 0), HasSubstr("too deeply"));
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += R"({"a":)";
  EXPECT_THAT(complaint(nested, 0), HasSubstr("too deeply"));
}

}  // namespace
}  // namespace lipizz::checkpoint::tensor_header_test
