#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>

#include "data/dataset.hpp"

namespace lipizz::data {

/// 32x32 colour images of ten classes: Krizhevsky, "Learning multiple layers of features from tiny
/// images" (2009), in its binary format, from data_dir/cifar10.
///
/// Training samples are those of data_batch_1.bin to the last data_batch_N.bin there is, N at most
/// 5; test samples those of test_batch.bin or, where only that is there, of
/// test_batch_first1000.bin. Other files are ignored. DataError naming the file, what was expected
/// and what was found when one is missing or damaged.
DatasetSource find_cifar10(const OpenOptions& options);

/// A file of records: the label, 1,024 bytes of red, as many of green and of blue, each row by row.
class CifarFile {
 public:
  /// DataError unless the file's size is that of 1 to 10,000 records.
  explicit CifarFile(const std::filesystem::path& path);

  [[nodiscard]] std::uint32_t n_records() const { return n_records_; }

  /// Reads all records: pixels [n_records, 32, 32, 3], labels [n_records]. DataError when a label
  /// is not one of 0..9.
  void read(std::span<std::uint8_t> pixels, std::span<Label> labels);

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::uint32_t n_records_;
};

}  // namespace lipizz::data
