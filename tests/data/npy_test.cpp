#include "data/npy.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "data/npy_header.hpp"
#include "data/support.hpp"
#include "support/command.hpp"

namespace lipizz::data::npy_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Npy : public ::testing::Test {
 protected:
  /// Runs Python, with numpy as np, in the test's folder.
  void numpy(const std::string& script) {
    write_text("script.py", "import io, numpy as np\n" + script);
    const CommandResult result("cd " + folder_.path().string() +
                               " && " LIPIZZ_PYTHON " -B script.py");
    ASSERT_EQ(result.status, 0) << result.output;
  }
  void write_text(const std::string& name, const std::string& text) {
    write_file(folder_ / name, {text.begin(), text.end()});
  }
  /// A file with this header and so many bytes behind it.
  void write_array(const NpyHeader& header, std::size_t n_bytes) {
    write_text("a.npy", npy_preamble(header) + std::string(n_bytes, '\1'));
  }
  std::string refusal(const std::string& name = "a.npy") {
    return data_error([&] { NpyFile file(folder_ / name); });
  }

  TemporaryFolder folder_;
};

std::vector<float> read_floats(const NpyFile& file) {
  std::vector<float> values(file.layout().n_rows() * file.layout().row_size());
  file.read(0, values);
  return values;
}

TEST_F(Npy, reads_what_numpy_writes) {
  numpy(R"(
np.save("bytes", np.arange(24, dtype=np.uint8).reshape(4, 3, 2))
values = np.linspace(-1, 1, 30).reshape(5, 6)
for name in "<f4", ">f4", "<f8", ">f8":
    np.save(name, values.astype(name))
for major in 1, 2, 3:
    with open(f"v{major}.npy", "wb") as file:
        np.lib.format.write_array(file, values.astype("<f4"), version=(major, 0))
np.save("vector", np.arange(7.0))
)");
  const NpyFile bytes(folder_ / "bytes.npy");
  EXPECT_EQ(bytes.layout().type, ElementType::kUint8);
  EXPECT_THAT(bytes.layout().shape, ElementsAre(4, 3, 2));
  Octets rows(12);
  bytes.read(1, rows);
  EXPECT_THAT(rows, ElementsAre(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17));
  std::vector<float> expected;
  for (int i = 0; i < 30; ++i) expected.push_back(static_cast<float>(-1.0 + 2.0 * i / 29.0));
  for (const char* name : {"<f4", ">f4", "<f8", ">f8", "v1", "v2", "v3"}) {
    const NpyFile file(folder_ / (name + std::string(".npy")));
    EXPECT_THAT(file.layout().shape, ElementsAre(5, 6));
    EXPECT_EQ(file.layout().type == ElementType::kFloat64, name[2] == '8');
    EXPECT_THAT(read_floats(file), ::testing::Pointwise(::testing::FloatEq(), expected)) << name;
  }
  EXPECT_THAT(read_floats(NpyFile(folder_ / "vector.npy")), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST_F(Npy, long_doubles_are_read_in_pieces) {
  numpy("np.save('a', np.arange(30000.0).reshape(3000, 10))");
  std::vector<float> values(29990);
  NpyFile(folder_ / "a.npy").read(1, values);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<float>(i + 10));
}

TEST_F(Npy, writes_the_bytes_that_numpy_writes) {
  const std::vector<float> floats{0.0F, -1.5F, 3e-20F, 1.0F, 2.0F, 3.0F};
  write_npy(folder_ / "floats.npy", std::vector<std::uint64_t>{2, 3}, floats);
  write_npy(folder_ / "vector.npy", std::vector<std::uint64_t>{6}, floats);
  NpyWriter writer(folder_ / "bytes.npy", {ElementType::kUint8, {1000, 2, 1, 3}});
  Octets row(6);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    row.assign(6, static_cast<std::uint8_t>(i));
    writer.write(row);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bytes.npy"));
  writer.commit();
  numpy(R"(
floats = np.array([0, -1.5, 3e-20, 1, 2, 3], "<f4")
bytes = np.repeat(np.arange(1000).astype(np.uint8), 6)
for name, array in ("floats", floats.reshape(2, 3)), ("vector", floats), ("bytes", bytes.reshape(1000, 2, 1, 3)):
    expected = io.BytesIO()
    np.save(expected, array)
    assert open(name + ".npy", "rb").read() == expected.getvalue(), name
)");
}

TEST_F(Npy, a_writer_that_is_given_up_leaves_nothing) {
  {
    NpyWriter writer(folder_ / "a.npy", {ElementType::kFloat32, {2, 2}});
    writer.write(std::vector<float>{1, 2});
    EXPECT_THROW(writer.commit(), InternalError);
    EXPECT_THROW(writer.write(std::vector<float>{3, 4, 5}), InternalError);
    EXPECT_THROW(writer.write(Octets{1}), InternalError);
  }
  EXPECT_EQ(folder_.n_files(), 0U);
  EXPECT_THROW(NpyWriter(folder_ / "none/a.npy", {ElementType::kUint8, {1}}), CheckpointError);
}

TEST_F(Npy, an_array_that_lies_about_its_shape_is_refused) {
  write_array({"<f4", false, {10, 3}}, 80);
  EXPECT_THAT(refusal(), AllOf(StartsWith((folder_ / "a.npy").string() + ": "),
                               HasSubstr("expected the 120 bytes of an array of shape (10, 3) and "
                                         "type '<f4' behind the header, found 80 bytes")));
  write_array({"|u1", false, {10, 3}}, 31);
  EXPECT_THAT(refusal(), HasSubstr("found 31 bytes"));
  // Its size is 4 modulo 2^64.
  write_array({"<f4", false, {1ULL << 62, 4, 1ULL << 60, 1}}, 4);
  EXPECT_THAT(refusal(), HasSubstr("expected the exabytes of an array"));
  write_array({"<f4", false, {(1ULL << 62) + 1}}, 4);
  EXPECT_THAT(refusal(), HasSubstr("expected the exabytes of an array"));
}

TEST_F(Npy, other_arrays_are_refused_by_name) {
  write_array({"<f4", false, {0, 3}}, 0);
  EXPECT_THAT(refusal(), HasSubstr("expected values, found shape (0, 3)"));
  write_array({"|u1", false, {1, 1, 1, 1, 1}}, 1);
  EXPECT_THAT(refusal(), HasSubstr("expected an array of 1 to 4 dimensions, found shape"));
  write_array({"<f4", true, {2, 3}}, 24);
  EXPECT_THAT(refusal(), HasSubstr("found one in Fortran order; save numpy.ascontiguousarray"));
  write_array({"<i8", false, {2}}, 16);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("found type '<i8'"), HasSubstr("array.astype")));
  write_array({"|O", false, {2}}, 16);
  EXPECT_THAT(refusal(), HasSubstr("found pickled objects, which are never loaded"));
}

TEST_F(Npy, other_files_of_numpy_are_refused_by_name) {
  numpy(R"(
np.savez("several", a=np.arange(3))
np.save("records", np.zeros(3, [("x", "<f4"), ("y", "<f4")]))
np.save("scalar", np.float32(1))
np.save("wide", np.zeros((2, 2, 2), np.float32, order="F"))
np.arange(3).dump("pickle.npy")
)");
  EXPECT_THAT(refusal("several.npz"), HasSubstr("found a .npz or another zip file; save the one"));
  EXPECT_THAT(refusal("records.npy"), HasSubstr("or one of records"));
  EXPECT_THAT(refusal("scalar.npy"), HasSubstr("found shape ()"));
  EXPECT_THAT(refusal("wide.npy"), HasSubstr("Fortran order"));
  EXPECT_THAT(refusal("pickle.npy"), HasSubstr("found a Python pickle"));
}

TEST_F(Npy, a_file_cut_anywhere_is_refused) {
  const std::string whole = npy_preamble({"|u1", false, {8}}) + "12345678";
  for (std::size_t n = 0; n < whole.size(); ++n) {
    write_text("a.npy", whole.substr(0, n));
    EXPECT_THAT(refusal(), HasSubstr("a.npy: expected")) << n;
  }
  write_text("a.npy", whole);
  EXPECT_EQ(NpyFile(folder_ / "a.npy").layout().n_rows(), 8U);
}

TEST_F(Npy, a_damaged_start_is_refused) {
  std::string bytes = npy_preamble({"|u1", false, {1}}) + "1";
  bytes[6] = 4;
  write_text("a.npy", bytes);
  EXPECT_THAT(refusal(), HasSubstr("version 1.0, 2.0 or 3.0 of the .npy format, found 4.0"));
  bytes[6] = 2;  // the length is now of 32 bits, two of them of the dictionary
  write_text("a.npy", bytes);
  EXPECT_THAT(refusal(), HasSubstr("expected a header of at most 65536 bytes"));
  write_text("a.npy", "some,text\n1,2\n");
  EXPECT_THAT(refusal(), HasSubstr("expected a .npy file, as numpy.save() writes"));
}

TEST_F(Npy, numbers_that_are_none_are_refused) {
  numpy(
      "a = np.zeros((4, 2)); a[2, 1] = 1e300; np.save('a', a); a[2, 1] = np.nan; np.save('b', "
      "a.astype('<f4'))");
  for (const auto& [name, found] : {std::pair("a.npy", "inf"), std::pair("b.npy", "nan")}) {
    const NpyFile file(folder_ / name);
    std::vector<float> rows(6);
    EXPECT_THAT(
        data_error([&] { file.read(1, rows); }),
        AllOf(HasSubstr(name), HasSubstr("expected finite numbers of single precision, found "),
              HasSubstr(found), HasSubstr("in row 2")));
  }
}

TEST_F(Npy, a_file_that_changes_while_it_is_read_is_refused) {
  write_array({"|u1", false, {4, 2}}, 8);
  const NpyFile file(folder_ / "a.npy");
  write_array({"|u1", false, {4, 3}}, 12);
  Octets row(2);
  EXPECT_THAT(data_error([&] { file.read(0, row); }),
              AllOf(HasSubstr("a.npy"), HasSubstr("written to while it was read")));
}

}  // namespace
}  // namespace lipizz::data::npy_test
