#include "checkpoint/safetensors.hpp"

#include <gmock/gmock.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint::safetensors_test {
namespace {

using ::testing::HasSubstr;
using testing::read_file;
using testing::write_file;

struct Example {
  std::vector<float> floats{1.0f, -2.0f};
  std::vector<std::uint8_t> bytes{7, 8, 9};
  std::vector<TensorView> views{
      {"w", DType::kF32, {2, 1}, std::as_bytes(std::span<const float>(floats))},
      {"b", DType::kU8, {3}, std::as_bytes(std::span<const std::uint8_t>(bytes))}};
};

// The example as the format's description has it, but for its hash.
std::string expected_file(const std::string& hash) {
  const std::string header = R"({"__metadata__":{"by":"hand","lipizz.hash":")" + hash +
                             R"("},)"
                             R"("b":{"data_offsets":[8,11],"dtype":"U8","shape":[3]},)"
                             R"("w":{"data_offsets":[0,8],"dtype":"F32","shape":[2,1]}})"
                             "     ";
  const std::string length{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
  // 1.0f and -2.0f are 0x3f800000 and 0xc0000000, little-endian.
  return length + header + std::string("\0\0\x80\x3f\0\0\0\xc0\x07\x08\x09", 11);
}

std::string complaint(const std::filesystem::path& path) {
  try {
    read_tensors(path);
    return "";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    return error.what();
  }
}

TEST(Safetensors, bytes_are_as_the_format_says) {
  const TemporaryFolder folder;
  write_tensors(folder / "x", Example().views, {{"by", "hand"}});
  const std::string written = read_file(folder / "x");
  const std::size_t hash = written.find("lipizz.hash\":\"") + 14;
  ASSERT_LT(hash + 16, written.size());
  EXPECT_EQ(written, expected_file(written.substr(hash, 16)));
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(Safetensors, bytes_in_memory_are_those_of_the_file) {
  const TemporaryFolder folder;
  const Bytes encoded = encode_tensors(Example().views, {{"by", "hand"}});
  write_tensors(folder / "x", Example().views, {{"by", "hand"}});
  const std::string written = read_file(folder / "x");
  EXPECT_TRUE(std::ranges::equal(encoded, std::as_bytes(std::span(written))));
}

TEST(Safetensors, bytes_in_memory_read_back_wherever_the_result_is_moved_to) {
  TensorFile first = decode_tensors(encode_tensors(Example().views, {{"by", "hand"}}), "a copy");
  const TensorFile moved = std::move(first);
  EXPECT_EQ(moved.metadata(), (Metadata{{"by", "hand"}}));
  const Example example;
  ASSERT_EQ(moved.tensors().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(moved.tensors()[i].name, example.views[i].name);
    EXPECT_TRUE(std::ranges::equal(moved.tensors()[i].data, example.views[i].data));
  }
}

TEST(Safetensors, bytes_in_memory_that_are_cut_or_changed_are_refused_with_their_place) {
  const Bytes good = encode_tensors(Example().views, {});
  const auto expect_refused = [](const Bytes& bytes) {
    try {
      decode_tensors(bytes, "copy of cell 3");
      FAIL() << bytes.size() << " bytes were believed";
    } catch (const CheckpointError& error) {
      EXPECT_THAT(error.what(), HasSubstr("copy of cell 3"));
    }
  };
  for (std::size_t n = 0; n < good.size(); ++n)
    expect_refused({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)});
  Bytes longer = good;
  longer.push_back({});
  expect_refused(longer);
  Bytes changed = good;
  changed.back() ^= std::byte{1};
  expect_refused(changed);
  expect_refused(Bytes(8, std::byte{0xff}));  // a header of more bytes than there are
}

TEST(Safetensors, reads_back_what_was_written) {
  const TemporaryFolder folder;
  const Example example;
  write_tensors(folder / "x", example.views, {{"by", "hand"}});
  const TensorFile file = read_tensors(folder / "x");
  EXPECT_EQ(file.metadata(), (Metadata{{"by", "hand"}}));
  ASSERT_EQ(file.tensors().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(file.tensors()[i].name, example.views[i].name);
    EXPECT_EQ(file.tensors()[i].type, example.views[i].type);
    EXPECT_EQ(file.tensors()[i].shape, example.views[i].shape);
    EXPECT_TRUE(std::ranges::equal(file.tensors()[i].data, example.views[i].data));
  }
}

TEST(Safetensors, no_changed_byte_goes_unnoticed) {
  const TemporaryFolder folder;
  write_tensors(folder / "x", Example().views, {{"by", "hand"}});
  const std::string good = read_file(folder / "x");
  const std::size_t end_of_header = good.rfind('}') + 1;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    if (i >= end_of_header && i < good.size() - 11) bad[i] = 'x';  // padding: not white space
    write_file(folder / "bad", bad);
    EXPECT_NE(complaint(folder / "bad"), "") << "byte " << i;
  }
}

TEST(Safetensors, no_cut_or_longer_file_is_believed) {
  const TemporaryFolder folder;
  write_tensors(folder / "x", Example().views, {});
  const std::string good = read_file(folder / "x");
  for (std::size_t n = 0; n < good.size(); ++n) {
    write_file(folder / "bad", good.substr(0, n));
    EXPECT_NE(complaint(folder / "bad"), "") << n << " bytes";
  }
  write_file(folder / "bad", good + '\0');
  EXPECT_THAT(complaint(folder / "bad"), HasSubstr("expected 11 bytes of data, found 12"));
}

TEST(Safetensors, a_header_length_that_lies_is_refused_before_anything_is_allocated) {
  const TemporaryFolder folder;
  write_file(folder / "bad", std::string(7, '\xff') + '\x7f' + "{}");
  EXPECT_THAT(complaint(folder / "bad"), HasSubstr("expected a header of at most 2 bytes"));
}

TEST(Safetensors, a_header_beyond_the_format_s_limit_is_refused) {
  const TemporaryFolder folder;
  const std::uint64_t n_header = 100'000'001;
  write_file(folder / "bad", {reinterpret_cast<const char*>(&n_header), 8});
  std::filesystem::resize_file(folder / "bad", 8 + n_header);  // a hole: takes no disk space
  EXPECT_THAT(complaint(folder / "bad"), HasSubstr("at most 100000000 bytes"));
}

// Four tebibytes that take no disk space: without a header, and announced by one.
TEST(Safetensors, a_file_beyond_all_memory_is_refused_before_it_is_read) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kBytes = std::uint64_t{4} << 40;
  write_file(folder / "hole", "");
  std::filesystem::resize_file(folder / "hole", kBytes);
  EXPECT_THAT(complaint(folder / "hole"), HasSubstr("its header is not JSON"));
  const std::string header = R"({"x":{"dtype":"U8","shape":[4398046511104],)"
                             R"("data_offsets":[0,4398046511104]}})";
  const std::uint64_t n_header = header.size();
  write_file(folder / "bad", std::string(reinterpret_cast<const char*>(&n_header), 8) + header);
  std::filesystem::resize_file(folder / "bad", 8 + n_header + kBytes);
  EXPECT_THAT(complaint(folder / "bad"), HasSubstr("expected a file that fits into memory"));
}

TEST(Safetensors, files_that_are_not_ours_are_refused) {
  const TemporaryFolder folder;
  EXPECT_THAT(complaint(folder / "missing"), HasSubstr("found none"));
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THAT(complaint(folder / "folder"), HasSubstr("found none"));
  write_file(folder / "x", std::string("\2\0\0\0\0\0\0\0{}", 10));
  EXPECT_THAT(complaint(folder / "x"), HasSubstr("expected a hash"));
}

TEST(Safetensors, a_file_that_cannot_be_written_leaves_nothing) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_tensors(folder / "no/x", Example().views, {}), CheckpointError);
  EXPECT_EQ(folder.n_files(), 0);
}

}  // namespace
}  // namespace lipizz::checkpoint::safetensors_test
