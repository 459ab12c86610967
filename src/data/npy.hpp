#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "data/array_layout.hpp"
#include "data/opened_file.hpp"

namespace lipizz::data {

/// An array of a .npy file, versions 1.0 to 3.0 of the format (NEP 1; numpy.lib.format): 1 to 4
/// dimensions of bytes (`|u1`) or of floats of 4 or 8 bytes in either byte order, in C order.
/// Nothing that the header says is believed before it agrees with the size of the file, and nothing
/// in it is ever executed. Every failure is a DataError naming the file, what was expected and what
/// was found.
class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& path);

  [[nodiscard]] const ArrayLayout& layout() const { return layout_; }
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

  /// Fills `out`, a whole number of rows, from row `first_row` on. Several threads may do so at
  /// once. Bytes for layout().type kUint8, floats for the other two; doubles become floats. A value
  /// that is not finite as a float is refused, as is a file that has changed since it was opened.
  void read(std::uint64_t first_row, std::span<std::uint8_t> out) const;
  void read(std::uint64_t first_row, std::span<float> out) const;

  /// DataError about this file.
  [[noreturn]] void fail(const std::string& what) const { file_.fail(what); }

 private:
  std::string read_header_text();
  std::uint64_t take_length_of_header(std::span<const char> start);
  void take_type(const std::string& descr);
  void check_shape(const std::string& descr) const;
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t first_row, std::size_t n_values) const;
  template <class Stored>
  void read_as(std::uint64_t offset, std::span<float> out) const;

  OpenedFile file_;
  ArrayLayout layout_;
  bool is_swapped_ = false;     // big-endian
  std::uint64_t n_before_ = 0;  // bytes before the first value
};

/// Writes a .npy file row by row, the bytes that numpy.save() would write. The file appears when
/// commit() is called, and nothing stays behind where it is not. CheckpointError naming the path
/// and the reason when writing fails.
class NpyWriter {
 public:
  /// `layout`: kUint8 or kFloat32, 1 to 4 dimensions, is_possible().
  NpyWriter(const std::filesystem::path& path, const ArrayLayout& layout);

  /// Appends values of the layout's type, any number of them up to its size.
  void write(std::span<const std::uint8_t> values);
  void write(std::span<const float> values);

  /// Puts the file in its place. All values must have been written.
  void commit();

 private:
  void append(ElementType type, std::span<const std::byte> values);

  ArrayLayout layout_;
  std::uint64_t n_bytes_left_;
  AtomicFile file_;
};

/// The same for an array at hand.
void write_npy(const std::filesystem::path& path, std::span<const std::uint64_t> shape,
               std::span<const std::uint8_t> values);
void write_npy(const std::filesystem::path& path, std::span<const std::uint64_t> shape,
               std::span<const float> values);

}  // namespace lipizz::data
