#include "data/gzip.hpp"

#include <gmock/gmock.h>

#include "data/gzip_files.hpp"
#include "data/support.hpp"

namespace lipizz::data::gzip_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Gzip : public ::testing::Test {
 protected:
  /// Reads `n_bytes` and checks the end of a file with these compressed bytes.
  Octets read(const Octets& compressed, std::size_t n_bytes) {
    write_file(path_, compressed);
    GzipFile file(path_);
    Octets content(n_bytes);
    file.read(content);
    file.expect_end();
    return content;
  }

  std::string error(const Octets& compressed, std::size_t n_bytes) {
    return data_error([&] { read(compressed, n_bytes); });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "numbers.gz";
  Octets content_ = noise(200'000);  // several buffers long
  Octets compressed_ = gzipped(content_);
};

TEST_F(Gzip, gives_back_what_was_compressed) {
  EXPECT_EQ(read(compressed_, 200'000), content_);
}

TEST_F(Gzip, gives_the_same_in_pieces) {
  write_file(path_, compressed_);
  GzipFile file(path_);
  Octets content(content_.size());
  file.read(std::span(content).first(1));
  file.read(std::span(content).subspan(1, 99'999));
  file.read(std::span(content).subspan(100'000));
  file.expect_end();
  EXPECT_EQ(content, content_);
  EXPECT_EQ(file.n_bytes_read(), 200'000U);
}

TEST_F(Gzip, names_a_file_that_is_missing) {
  EXPECT_THAT(data_error([&] { GzipFile file(path_); }),
              AllOf(HasSubstr(path_.string()), HasSubstr("No such file"), HasSubstr("--data-dir"),
                    HasSubstr("LIPIZZ_DATA_DIR"), HasSubstr("scripts/fetch-data.sh")));
  EXPECT_THAT(data_error([&] { GzipFile file(folder_.path()); }), HasSubstr("directory"));
}

TEST_F(Gzip, finds_a_file_cut_anywhere) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{70'000},
                              compressed_.size() - 8, compressed_.size() - 1}) {
    const Octets cut(compressed_.begin(), compressed_.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_THAT(error(cut, content_.size()),
                AllOf(HasSubstr(path_.string()), HasSubstr("truncated"),
                      HasSubstr("scripts/fetch-data.sh")))
        << "cut after " << n << " bytes";
  }
}

TEST_F(Gzip, finds_what_is_not_compressed) {
  EXPECT_THAT(
      error({0, 0, 8, 3}, 4),
      HasSubstr("(incorrect header check) after 0 bytes, as if gzip had not compressed it; "));
}

TEST_F(Gzip, finds_a_flipped_bit) {
  for (const std::size_t place : {std::size_t{0}, std::size_t{100'000}, compressed_.size() - 6}) {
    Octets damaged = compressed_;
    damaged[place] ^= 0x10;
    EXPECT_THAT(error(damaged, content_.size()),
                AllOf(HasSubstr(path_.string()), HasSubstr("damaged")))
        << "at byte " << place;
  }
}

TEST_F(Gzip, finds_content_of_another_length) {
  EXPECT_THAT(error(compressed_, 200'001),
              HasSubstr("expected 200001 bytes of content, found 200000"));
  EXPECT_THAT(error(compressed_, 199'999),
              HasSubstr("expected 199999 bytes of content, found more"));
}

TEST_F(Gzip, finds_bytes_behind_the_compressed_content) {
  compressed_.push_back(0);
  EXPECT_THAT(error(compressed_, 200'000), HasSubstr("more bytes after the end"));
}

TEST_F(Gzip, finds_a_file_that_is_not_compressed) {
  EXPECT_THAT(error(Octets(100, 'x'), 100), HasSubstr("damaged gzip content"));
}

}  // namespace
}  // namespace lipizz::data::gzip_test
