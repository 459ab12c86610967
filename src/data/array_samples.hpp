#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/array_layout.hpp"
#include "data/dataset.hpp"

namespace lipizz::data {

/// An array in a file, as npy and hdf5 read it. Rows are the samples. Any thread may read.
class ArrayReader {
 public:
  virtual ~ArrayReader() = default;
  [[nodiscard]] virtual const ArrayLayout& layout() const = 0;
  /// Fills `out`, whole rows, from row `first_row` on: bytes for kUint8, floats for the others.
  virtual void read(std::uint64_t first_row, std::span<std::uint8_t> out) const = 0;
  virtual void read(std::uint64_t first_row, std::span<float> out) const = 0;
  /// DataError about the array.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
};

/// A file as one: `File` has these functions.
template <class File>
class ArrayReaderOf final : public ArrayReader {
 public:
  template <class... Arguments>
  explicit ArrayReaderOf(const Arguments&... arguments) : file_(arguments...) {}
  [[nodiscard]] const ArrayLayout& layout() const override { return file_.layout(); }
  void read(std::uint64_t first_row, std::span<std::uint8_t> out) const override {
    file_.read(first_row, out);
  }
  void read(std::uint64_t first_row, std::span<float> out) const override {
    file_.read(first_row, out);
  }
  [[noreturn]] void fail(const std::string& what) const override { file_.fail(what); }

 private:
  File file_;
};

/// The form of an array's samples. Bytes N x H x W are grey images, N x H x W x C images of 1 or
/// 3 channels; floats of these shapes, too, where OwnFiles::range says what black and white are,
/// and floats N x D, or N alone, are points. DataError saying what was expected where it is none of
/// these.
SampleForm form_of_array(const ArrayReader& array, const std::string& range);

/// A float of an image as a pixel: `range` 0..1 or -1..1 becomes 0..255, rounded; nothing where it
/// lies outside by more than rounding explains.
std::optional<std::uint8_t> pixel_of(float value, const std::string& range);

/// The samples of an array, which are `name`, a part of them for tests. The hash of its content is
/// taken by reading it once, and kept in the cache as long as the file's size and time stay.
DatasetSource array_source(const std::string& name, std::unique_ptr<ArrayReader> array,
                           const OpenOptions& options);

/// Arrays of one's own: those of numpy's `.npy` (data/npy.hpp).
DatasetSource find_npy(const OpenOptions& options);
/// And the dataset OwnFiles::field of a HDF5 file (data/hdf5.hpp).
DatasetSource find_hdf5(const OpenOptions& options);

/// Points of one's own: lines of numbers (data/csv.hpp), a part of them for tests.
DatasetSource find_csv(const OpenOptions& options);

}  // namespace lipizz::data
