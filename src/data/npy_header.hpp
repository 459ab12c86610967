#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::data {

/// The dictionary in the header of a .npy file (NEP 1; numpy.lib.format).
struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;  // may be empty
};

/// Reads the dictionary, in any order of its keys; nothing where it is anything but that: another
/// key, a record type (whose descr is a list), a size that does not fit.
std::optional<NpyHeader> parse_npy_header(std::string_view text);

/// The bytes that numpy.save() writes before the values (numpy 1.23 and later, version 1.0 of the
/// format): magic, version, length and the dictionary, filled up to a multiple of 64 bytes.
std::string npy_preamble(const NpyHeader& header);

}  // namespace lipizz::data
