#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "data/description.hpp"

namespace lipizz::data {

/// The memory that a loader fills: training samples first, then test samples. Images use `pixels`
/// and points `values`; the other one is empty.
struct Content {
  std::span<std::uint8_t> pixels;  // [n_samples, shape.size()]
  std::span<float> values;         // [n_samples, shape.size()]
  std::span<Label> labels;         // [n_samples]
};

/// Samples that lie in files and can be read one by one. Any thread may call any function.
class SampleFiles {
 public:
  virtual ~SampleFiles() = default;

  /// Reads sample `index` of all, training samples first, as it is stored: out [sample_bytes()].
  /// DataError naming the file when it has become another since it was found, or is damaged.
  virtual void read(std::uint32_t index, std::span<std::byte> out) const = 0;
  [[nodiscard]] virtual Label label(std::uint32_t index) const = 0;
  /// The place of sample `index` among all in the files, which are read fastest in that order: a
  /// permutation.
  [[nodiscard]] virtual std::uint32_t place(std::uint32_t index) const { return index; }
  /// As Dataset::content_hash(), without reading samples.
  [[nodiscard]] virtual std::uint64_t content_hash() const = 0;
};

/// Where samples come from: what they will be, as the headers of files say, and who brings them.
/// One of the two is there.
struct DatasetSource {
  Description about;
  std::function<void(const Content&)> load = {};  // all at once; to be called once; DataError
  std::shared_ptr<const SampleFiles> files = {};
};

}  // namespace lipizz::data
