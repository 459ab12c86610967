#include "data/idx.hpp"

#include <gmock/gmock.h>

#include <array>

#include "data/gzip_files.hpp"
#include "data/support.hpp"

namespace lipizz::data::idx_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array kAllowed{IdxFile::Range{1, 5}, IdxFile::Range{3, 3}};

class Idx : public ::testing::Test {
 protected:
  std::string error(const Octets& content) {
    write_file(path_, gzipped(content));
    return data_error([&] {
      IdxFile file(path_, kAllowed);
      Octets values(std::size_t{file.dimensions()[0]} * file.dimensions()[1]);
      file.read(values);
    });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "table.gz";
};

TEST_F(Idx, reads_extents_and_values) {
  // Written out by hand: type 8, two dimensions, 2 x 3.
  write_file(path_, gzipped({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 10, 20, 30, 40, 50, 255}));
  IdxFile file(path_, kAllowed);
  EXPECT_THAT(file.dimensions(), ElementsAre(2, 3));
  Octets values(6);
  file.read(values);
  EXPECT_THAT(values, ElementsAre(10, 20, 30, 40, 50, 255));
}

TEST_F(Idx, refuses_another_kind_of_file) {
  EXPECT_THAT(error(idx({2}, {1, 2})), AllOf(HasSubstr(path_.string()), HasSubstr("2 dimensions"),
                                             HasSubstr("found first word 2049")));
  EXPECT_THAT(error({'<', 'h', 't', 'm', 'l', '>'}), HasSubstr("expected an IDX file"));
}

TEST_F(Idx, refuses_extents_beyond_what_is_allowed) {
  EXPECT_THAT(error(idx({0xf0000000, 3}, {})),
              HasSubstr("expected a size of 1 to 5 in dimension 0 of the IDX header, "
                        "found 4026531840"));
  EXPECT_THAT(error(idx({0, 3}, {})), HasSubstr("found 0"));
  EXPECT_THAT(error(idx({2, 4}, Octets(8))), HasSubstr("expected a size of 3 in dimension 1"));
}

TEST_F(Idx, refuses_a_header_that_ends_half_way) {
  EXPECT_THAT(error({0, 0, 8, 2, 0, 0, 0}), HasSubstr("expected 8 bytes of content, found 7"));
}

TEST_F(Idx, refuses_a_header_that_lies_about_its_size) {
  EXPECT_THAT(error(idx({4, 3}, Octets(11))), HasSubstr("expected 24 bytes of content, found 23"));
  EXPECT_THAT(error(idx({4, 3}, Octets(13))),
              HasSubstr("expected 24 bytes of content, found more"));
}

}  // namespace
}  // namespace lipizz::data::idx_test
