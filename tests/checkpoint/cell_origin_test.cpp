#include "checkpoint/cell_origin.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::checkpoint::cell_origin_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const CellOrigin kExample{
    .cell = {3},
    .generation = 20,
    .lineage = {
        .configuration = 0xfedcba9876543210U, .numerics = "avx2", .dataset = 7, .judge = 9}};

std::string complaint(const Metadata& metadata) {
  try {
    origin_of(metadata, "the/file");
    return "";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), StartsWith("the/file: "));
    return error.what();
  }
}

TEST(CellOrigin, survives_a_file_s_metadata) {
  EXPECT_EQ(origin_of(to_metadata(kExample), ""), kExample);
  const CellOrigin largest{
      {~0U}, ~Generation{0}, {~std::uint64_t{0}, "", ~std::uint64_t{0}, ~std::uint64_t{0}}};
  EXPECT_EQ(origin_of(to_metadata(largest), ""), largest);
  EXPECT_EQ(origin_of(to_metadata({}), ""), CellOrigin{});
}

TEST(CellOrigin, metadata_are_readable) {
  EXPECT_EQ(to_metadata(kExample), (Metadata{{"format", "lipizz cell 2"},
                                             {"cell", "3"},
                                             {"generation", "20"},
                                             {"configuration", "fedcba9876543210"},
                                             {"numerics", "avx2"},
                                             {"dataset", "0000000000000007"},
                                             {"judge", "0000000000000009"}}));
}

TEST(CellOrigin, whatever_else_a_file_says_is_let_be) {
  Metadata metadata = to_metadata(kExample);
  metadata["author"] = "somebody";
  EXPECT_EQ(origin_of(metadata, ""), kExample);
}

TEST(CellOrigin, nothing_may_be_missing) {
  for (const auto& [key, text] : to_metadata(kExample)) {
    Metadata metadata = to_metadata(kExample);
    metadata.erase(key);
    EXPECT_THAT(complaint(metadata), AllOf(HasSubstr("\"" + key + "\""), HasSubstr("found none")));
  }
}

TEST(CellOrigin, a_number_must_be_one_and_fit) {
  for (const char* key : {"cell", "generation", "configuration", "dataset", "judge"}) {
    for (const char* text : {"", "x", "-1", "+1", " 1", "1 ", "1.5", "11112222333344445"}) {
      Metadata metadata = to_metadata(kExample);
      metadata[key] = text;
      EXPECT_THAT(complaint(metadata), HasSubstr("\"" + std::string(key) + "\""))
          << key << " = \"" << text << "\"";
    }
  }
}

TEST(CellOrigin, another_format_is_refused_naming_both) {
  Metadata metadata = to_metadata(kExample);
  metadata["format"] = "lipizz cell 3";
  EXPECT_THAT(complaint(metadata),
              AllOf(HasSubstr("\"lipizz cell 2\""), HasSubstr("\"lipizz cell 3\"")));
}

}  // namespace
}  // namespace lipizz::checkpoint::cell_origin_test
