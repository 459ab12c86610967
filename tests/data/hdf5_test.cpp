#include "data/hdf5.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "data/hdf5_files.hpp"
#include "data/opened_file.hpp"
#include "data/support.hpp"

namespace lipizz::data::hdf5_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Octets counting(std::size_t n) {
  Octets values(n);
  std::iota(values.begin(), values.end(), std::uint8_t{0});
  return values;
}

class Hdf5 : public ::testing::Test {
 protected:
  Hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

  std::string refusal(const std::string& name = {}) {
    return data_error([&] { Hdf5File file(path_, name); });
  }
  /// The refusal of the only dataset of a file.
  template <class Value>
  std::string refusal_of(hid_t stored, const std::vector<hsize_t>& shape,
                         const std::vector<Value>& values, hid_t creation = H5P_DEFAULT) {
    Hdf5Written(path_).dataset("x", stored, shape, values, creation);
    return refusal();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.h5";
};

TEST_F(Hdf5, reads_bytes_contiguous_chunked_and_compressed) {
  {
    const Hdf5Written file(path_);
    file.dataset("plain", H5T_STD_U8LE, {4, 3, 2}, counting(24));
    file.dataset("chunked", H5T_STD_U8BE, {4, 3, 2}, counting(24), chunked({3, 2, 2}));
    const hid_t compressed = chunked({2, 3, 2});
    H5Pset_shuffle(compressed);
    H5Pset_deflate(compressed, 6);
    H5Pset_fletcher32(compressed);
    file.dataset("compressed", H5T_STD_U8LE, {4, 3, 2}, counting(24), compressed);
    const hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(compact, H5D_COMPACT);
    file.dataset("compact", H5T_STD_U8LE, {4, 3, 2}, counting(24), compact);
  }
  for (const char* name : {"plain", "/chunked", "compressed", "compact"}) {
    const Hdf5File file(path_, name);
    EXPECT_EQ(file.layout().type, ElementType::kUint8);
    EXPECT_THAT(file.layout().shape, ElementsAre(4, 3, 2));
    Octets rows(12);
    file.read(1, rows);
    EXPECT_THAT(rows, ElementsAre(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)) << name;
  }
}

TEST_F(Hdf5, reads_floats_of_both_sizes_and_orders) {
  {
    const Hdf5Written file(path_);
    file.group("train");
    const std::vector<double> values{0.5, -2, 1e-3, 4, 5e6, 1.0 / 3};
    file.dataset("train/f32", H5T_IEEE_F32LE, {3, 2}, values);
    file.dataset("train/f32be", H5T_IEEE_F32BE, {3, 2}, values);
    file.dataset("train/f64", H5T_IEEE_F64LE, {3, 2}, values, chunked({1, 2}));
    file.dataset("train/f64be", H5T_IEEE_F64BE, {3, 2}, values);
  }
  for (const char* name : {"f32", "f32be", "f64", "f64be"}) {
    const Hdf5File file(path_, std::string("train/") + name);
    std::vector<float> row(2);
    file.read(2, row);
    EXPECT_THAT(row, ElementsAre(5e6F, static_cast<float>(1.0 / 3))) << name;
    EXPECT_EQ(file.layout().type == ElementType::kFloat64, name[1] == '6');
  }
}

TEST_F(Hdf5, finds_the_only_dataset) {
  {
    const Hdf5Written file(path_);
    file.group("deep");
    file.dataset("deep/images", H5T_STD_U8LE, {2, 3}, counting(6));
  }
  EXPECT_EQ(Hdf5File(path_).name(), "deep/images");
}

TEST_F(Hdf5, lists_what_there_is_where_the_name_is_none_of_them) {
  {
    const Hdf5Written file(path_);
    for (const char* name : {"b", "a"}) file.dataset(name, H5T_STD_U8LE, {2, 3}, counting(6));
    file.group("group");
  }
  EXPECT_THAT(refusal(), AllOf(StartsWith(path_.string() + ": expected the name of a dataset"),
                               HasSubstr("it has a, b")));
  EXPECT_THAT(refusal("c"), AllOf(StartsWith(path_.string() + ": dataset \"c\": "),
                                  HasSubstr("doesn't exist"), HasSubstr("it has a, b")));
  EXPECT_THAT(refusal("group"), HasSubstr("dataset \"group\": it cannot be opened: not a dataset"));
  { const Hdf5Written empty(path_); }
  EXPECT_THAT(refusal(), HasSubstr("it has none"));
}

TEST_F(Hdf5, a_long_list_is_cut) {
  {
    const Hdf5Written file(path_);
    for (int i = 0; i < 30; ++i) {
      file.dataset("x" + std::to_string(10 + i), H5T_STD_U8LE, {2, 3}, counting(6));
    }
  }
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("x10, x11"), HasSubstr("x29, and more"), Not(HasSubstr("x30"))));
}

TEST_F(Hdf5, links_that_loop_or_leave_the_file_end_with_a_message) {
  const std::filesystem::path other = folder_ / "other.h5";
  Hdf5Written(other).dataset("x", H5T_STD_U8LE, {2, 3}, counting(6));
  {
    const Hdf5Written file(path_);
    H5Lcreate_soft("/b", file.id(), "a", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/a", file.id(), "b", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external(other.c_str(), "/x", file.id(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    file.group("loop");
    H5Lcreate_hard(file.id(), "/", file.id(), "loop/root", H5P_DEFAULT, H5P_DEFAULT);
  }
  EXPECT_THAT(refusal("a"), HasSubstr("a.h5: dataset \"a\": it cannot be opened: too many links"));
  EXPECT_THAT(refusal("elsewhere"),
              HasSubstr("a.h5: dataset \"elsewhere\": it cannot be opened: "));
  EXPECT_THAT(refusal(), HasSubstr("it has none"));
}

TEST_F(Hdf5, data_in_other_files_is_refused) {
  write_file(folder_ / "raw", counting(6));
  const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(external, (folder_ / "raw").c_str(), 0, 6);
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_U8LE, {2, 3}, {}, external),
              EndsWith("dataset \"x\": expected data in the file itself, found it in others"));
  const std::vector<hsize_t> shape{2, 3};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t virtual_one = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(virtual_one, space, "other.h5", "/x", space);
  H5Sclose(space);
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_U8LE, {2, 3}, {}, virtual_one),
              HasSubstr("found a virtual dataset"));
}

TEST_F(Hdf5, other_filters_are_refused_by_name) {
  const hid_t scaled = chunked({2, 3});
  H5Pset_scaleoffset(scaled, H5Z_SO_INT, 4);
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_U8LE, {2, 3}, counting(6), scaled),
              AllOf(HasSubstr("expected compression by gzip or none, found filter 6"),
                    HasSubstr("scaleoffset")));
}

TEST_F(Hdf5, other_types_and_shapes_are_refused) {
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_I64LE, {2, 3}, {1, 2, 3, 4, 5, 6}),
              HasSubstr("expected bytes or floats of 32 or 64 bits, found signed 64-bit integers"));
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_I8LE, {2, 3}, {}), HasSubstr("signed 8-bit"));
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_C_S1, {2, 3}, {}), HasSubstr("found strings"));
  EXPECT_THAT(refusal_of(H5T_STD_U8LE, {6}, counting(6)),
              HasSubstr("expected 2 to 4 dimensions, found 1"));
  EXPECT_THAT(refusal_of(H5T_STD_U8LE, {1, 1, 1, 1, 6}, counting(6)), HasSubstr("found 5"));
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_U8LE, {0, 3}, {}),
              HasSubstr("expected values, found shape (0, 3)"));
}

TEST_F(Hdf5, an_array_that_lies_about_its_shape_is_refused) {
  EXPECT_THAT(refusal_of<double>(H5T_IEEE_F32LE, {1000, 1000}, {}),
              HasSubstr("expected the 4000000 bytes of an array of shape (1000, 1000), found 0"));
  EXPECT_THAT(refusal_of<double>(H5T_IEEE_F64LE, {1ULL << 40, 1ULL << 22}, {}, chunked({8, 8})),
              HasSubstr("expected values, found shape (1099511627776, 4194304)"));
  EXPECT_THAT(refusal_of<double>(H5T_IEEE_F32LE, {1ULL << 30, 9}, {}, chunked({8, 8})),
              HasSubstr("expected the 268435456 chunks of an array"));
  EXPECT_THAT(refusal_of<std::uint8_t>(H5T_STD_U8LE, {1U << 14, 1U << 14}, {},
                                       chunked({1U << 14, 1U << 14})),
              HasSubstr("expected chunks of at most 134217728 bytes"));
}

TEST_F(Hdf5, numbers_that_are_none_are_refused) {
  {
    const Hdf5Written file(path_);
    file.dataset<double>("large", H5T_IEEE_F64LE, {3, 1}, {1, 2, 1e300});
    file.dataset<double>("nan", H5T_IEEE_F32LE, {3, 1}, {1, 2, std::nan("")});
  }
  for (const char* name : {"large", "nan"}) {
    const Hdf5File file(path_, name);
    std::vector<float> rows(2);
    EXPECT_THAT(data_error([&] { file.read(1, rows); }),
                AllOf(HasSubstr("a.h5: dataset \"" + std::string(name) + "\": expected finite"),
                      HasSubstr("in row 2")));
  }
}

TEST_F(Hdf5, a_file_cut_or_damaged_anywhere_gives_a_message_or_values) {
  {
    const Hdf5Written file(path_);
    const hid_t compressed = chunked({2, 3});
    H5Pset_deflate(compressed, 6);
    file.dataset("x", H5T_STD_U8LE, {2, 3}, counting(6), compressed);
  }
  Octets whole = OpenedFile(path_).content(1U << 20);
  for (std::size_t n = 0; n < whole.size(); n += 97) {
    write_file(path_, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)});
    EXPECT_THAT(refusal(), HasSubstr("a.h5: ")) << n;
  }
  whole[whole.size() - 5] ^= 1;  // within the compressed chunk
  write_file(path_, whole);
  const Hdf5File file(path_);
  Octets rows(6);
  EXPECT_THAT(data_error([&] { file.read(0, rows); }),
              HasSubstr("a.h5: dataset \"x\": it cannot be read: "));
  write_file(path_, {'t', 'e', 'x', 't'});
  EXPECT_THAT(refusal(), HasSubstr("a.h5: expected an HDF5 file, found something else"));
}

TEST_F(Hdf5, a_file_that_changes_while_it_is_read_is_refused) {
  Hdf5Written(path_).dataset("x", H5T_STD_U8LE, {2, 3}, counting(6));
  const Hdf5File file(path_);
  const auto time = std::filesystem::last_write_time(path_);
  std::filesystem::last_write_time(path_, time + std::chrono::seconds(1));
  Octets row(3);
  EXPECT_THAT(data_error([&] { file.read(0, row); }),
              AllOf(HasSubstr("a.h5"), HasSubstr("written to while it was read")));
}

TEST_F(Hdf5, several_threads_read_at_once_and_print_nothing) {
  Hdf5Written(path_).dataset("x", H5T_STD_U8LE, {64, 3}, counting(192), chunked({5, 3}));
  const Hdf5File file(path_);
  ::testing::internal::CaptureStderr();
  std::vector<int> n_wrong(4);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < n_wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 64; ++i) {
        Octets row(3);
        file.read(i, row);
        if (row[2] != 3 * i + 2) ++n_wrong[t];
      }
      static_cast<void>(data_error([&] { Hdf5File none(path_, "none"); }));
    });
  }
  threads.clear();
  EXPECT_THAT(n_wrong, Each(0));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace lipizz::data::hdf5_test
