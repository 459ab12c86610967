#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/array_layout.hpp"

namespace lipizz::data {

/// One dataset of an HDF5 file: bytes, or floats of 32 or 64 bits, in 2 to 4 dimensions, contiguous
/// or in chunks of at most 128 MiB, compressed by gzip or not, written to its end. Nothing but this
/// file is ever opened: links to other files, data kept in other files, virtual datasets and
/// filters that would have to be loaded are refused. Every failure is a DataError naming the file
/// and, once that is known, the dataset.
///
/// Chunks are decompressed whole, and 32 MiB of them kept: rows that lie near one another are best
/// read one after the other. Several threads may read; the HDF5 library, which keeps its state in
/// one place, is entered by one of them at a time.
class Hdf5File {
 public:
  /// `name`: of the dataset, `images` or `train/images`. An empty one stands for the only dataset
  /// of the file; where there are several the error lists them.
  explicit Hdf5File(const std::filesystem::path& path, const std::string& name = {});
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();

  [[nodiscard]] const ArrayLayout& layout() const;
  [[nodiscard]] const std::filesystem::path& path() const;
  /// The dataset's name, also where it was found.
  [[nodiscard]] const std::string& name() const;

  /// Fills `out`, a whole number of rows, from row `first_row` on. Bytes for layout().type kUint8,
  /// floats for the other two; doubles become floats. A value that is not finite as a float is
  /// refused, as is a file that has changed since it was opened.
  void read(std::uint64_t first_row, std::span<std::uint8_t> out) const;
  void read(std::uint64_t first_row, std::span<float> out) const;

  /// DataError about this dataset: `PATH: dataset "NAME": what`.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  class Opened;
  std::unique_ptr<Opened> opened_;
};

}  // namespace lipizz::data
