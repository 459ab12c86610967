#include "data/npy_header.hpp"

#include <gmock/gmock.h>

namespace lipizz::data::npy_header_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

TEST(NpyHeader, is_read_in_any_order_and_layout) {
  for (const char* text :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 40), }          \n",
        "{\"shape\":(3,40,),\"fortran_order\":False,\"descr\":\"<f4\"}",
        " { 'fortran_order' : False , 'descr' : '<f4' , 'shape' : ( 3 , 40 ) } "}) {
    const auto header = parse_npy_header(text);
    ASSERT_TRUE(header) << text;
    EXPECT_EQ(header->descr, "<f4");
    EXPECT_FALSE(header->fortran_order);
    EXPECT_THAT(header->shape, ElementsAre(3, 40));
  }
}

TEST(NpyHeader, knows_all_tuples_and_booleans) {
  const auto shape = [](const std::string& tuple) {
    return parse_npy_header("{'descr': '|u1', 'fortran_order': True, 'shape': " + tuple + "}");
  };
  EXPECT_TRUE(shape("()")->fortran_order);
  EXPECT_THAT(shape("()")->shape, IsEmpty());
  EXPECT_THAT(shape("(18446744073709551615,)")->shape, ElementsAre(~0ULL));
  for (const char* bad : {"(3)", "3", "(,)", "(3,,4)", "(-3,)", "(3", "(3,",
                          "(18446744073709551616,)", "(3L,)", "(3.0,)", "[3]", "(0x3,)"}) {
    EXPECT_FALSE(shape(bad)) << bad;
  }
}

TEST(NpyHeader, nothing_else_is_taken) {
  for (const char* text :
       {"", "{", "{}", "descr", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': True}",
        "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': __import__('os')}"}) {
    EXPECT_FALSE(parse_npy_header(text)) << text;
  }
}

// The first bytes of the file that numpy 1.24 wrote of such an array.
TEST(NpyHeader, is_written_as_numpy_writes_it) {
  EXPECT_EQ(npy_preamble({"<f4", false, {2, 3}}),
            std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
                std::string(58, ' ') + "\n");
}

}  // namespace
}  // namespace lipizz::data::npy_header_test
