#include "data/array_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "data/test_part.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 26;  // of a row
constexpr std::uint64_t kBlockValues = std::uint64_t{1} << 22;

class ArraySamples final : public SampleFiles {
 public:
  ArraySamples(std::unique_ptr<ArrayReader> array, const SampleForm& form, std::string range,
               SampleParts parts, std::uint64_t content_hash)
      : array_(std::move(array)),
        kind_(form.kind),
        range_(std::move(range)),
        parts_(std::move(parts)),
        content_hash_(content_hash) {}

  void read(std::uint32_t index, std::span<std::byte> out) const override {
    const std::uint32_t row = parts_.order[index];
    auto* const pixels = reinterpret_cast<std::uint8_t*>(out.data());
    if (kind_ == SampleKind::kPoint) {
      array_->read(row,
                   std::span(reinterpret_cast<float*>(out.data()), out.size() / sizeof(float)));
    } else if (array_->layout().type == ElementType::kUint8) {
      array_->read(row, std::span(pixels, out.size()));
    } else {
      read_floats(row, {pixels, out.size()});
    }
  }
  [[nodiscard]] Label label(std::uint32_t) const override { return 0; }
  [[nodiscard]] std::uint32_t place(std::uint32_t index) const override {
    return parts_.order[index];
  }
  [[nodiscard]] std::uint64_t content_hash() const override { return content_hash_; }

 private:
  void read_floats(std::uint32_t row, std::span<std::uint8_t> pixels) const {
    std::vector<float> values(pixels.size());
    array_->read(row, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<std::uint8_t> pixel = pixel_of(values[i], range_);
      if (!pixel) {
        array_->fail("expected pixels of data.range " + range_ + ", found " +
                     std::to_string(values[i]) + " in row " + std::to_string(row));
      }
      pixels[i] = *pixel;
    }
  }

  std::unique_ptr<ArrayReader> array_;
  SampleKind kind_;
  std::string range_;
  SampleParts parts_;
  std::uint64_t content_hash_;
};

template <class Value>
void hash_rows(const ArrayReader& array, Hasher& hasher) {
  const ArrayLayout& layout = array.layout();
  const std::uint64_t at_once = std::max<std::uint64_t>(1, kBlockValues / layout.row_size());
  std::vector<Value> block;
  for (std::uint64_t row = 0; row < layout.n_rows(); row += at_once) {
    block.resize(std::min(at_once, layout.n_rows() - row) * layout.row_size());
    array.read(row, std::span(block));
    hasher.values(std::span<const Value>(block));
  }
}

std::uint64_t hash_of(const ArrayReader& array) {
  Hasher hasher;
  for (const std::uint64_t size : array.layout().shape) hasher.value(size);
  if (array.layout().type == ElementType::kUint8) {
    hash_rows<std::uint8_t>(array, hasher);
  } else {
    hash_rows<float>(array, hasher);
  }
  return hasher.digest();
}

// Which file it was that a hash is of.
Bytes state_of(const fs::path& path, const std::string& field) {
  std::error_code none;
  ByteWriter writer;
  writer.text(fs::absolute(path, none).string());
  writer.text(field);
  writer.value(static_cast<std::uint64_t>(fs::file_size(path, none)));
  writer.value(fs::last_write_time(path, none).time_since_epoch().count());
  return writer.take();
}

std::uint64_t kept_hash(const ArrayReader& array, const OpenOptions& options) {
  const Bytes state = state_of(options.own.path, options.own.field);
  Hasher hasher;
  hasher.bytes(state);
  const auto expect_ours = [&](std::span<const std::byte> bytes) {
    ByteReader reader(bytes, "the hash of an array");
    if (reader.bytes() != state) throw CommError("it is of another file");
    reader.value<std::uint64_t>();
    reader.expect_end();
  };
  const auto make = [&] {
    ByteWriter writer;
    writer.values(std::span<const std::byte>(state));
    writer.value(hash_of(array));
    return writer.take();
  };
  const std::string name = "array-" + to_hex(hasher.digest()) + ".bin";
  const Bytes kept = cached(options.cache, name, expect_ours, make, options.log);
  return ByteReader(std::span(kept).last(sizeof(std::uint64_t)), name).value<std::uint64_t>();
}

// Hashes what samples are made of, in their order.
std::uint64_t hash_of(std::uint64_t of_array, const std::string& range, const SampleParts& parts) {
  Hasher hasher;
  hasher.value(of_array);
  hasher.text(range);
  hasher.value(parts.n_train);
  hasher.values(std::span<const std::uint32_t>(parts.order));
  return hasher.digest();
}

SampleShape image_shape(const ArrayReader& array) {
  const std::vector<std::uint64_t>& shape = array.layout().shape;
  const std::uint64_t channels = shape.size() == 4 ? shape[3] : 1;
  if (channels != 1 && channels != 3) {
    array.fail("expected images N x H x W or N x H x W x C with 1 or 3 channels, found the shape " +
               shape_text(shape));
  }
  return {.height = static_cast<std::uint32_t>(shape[1]),
          .width = static_cast<std::uint32_t>(shape[2]),
          .channels = static_cast<std::uint32_t>(channels)};
}

}  // namespace

std::optional<std::uint8_t> pixel_of(float value, const std::string& range) {
  constexpr float kRounding = 1e-3f;
  const float share = range == "-1..1" ? (value + 1) / 2 : value;
  if (!(share >= -kRounding && share <= 1 + kRounding)) return std::nullopt;
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0f, 1.0f) * 255));
}

SampleForm form_of_array(const ArrayReader& array, const std::string& range) {
  const ArrayLayout& layout = array.layout();
  const bool is_byte = layout.type == ElementType::kUint8;
  const bool is_image = layout.shape.size() >= 3;
  if (layout.n_rows() > kMostRows || layout.row_size() > kMostValues) {
    array.fail("expected fewer and smaller samples, found the shape " + shape_text(layout.shape));
  }
  if (is_image) {
    if (!is_byte && range == "none") {
      array.fail(
          "its pixels are floats: say with data.range what black and white are, 0..1 or "
          "-1..1");
    }
    if (is_byte && range != "none") {
      array.fail("its pixels are bytes, from 0 to 255: leave data.range out");
    }
    return {.shape = image_shape(array)};
  }
  if (is_byte) {
    array.fail(
        "expected images N x H x W or N x H x W x C, or floats N x D; found bytes of the "
        "shape " +
        shape_text(layout.shape));
  }
  if (range != "none") array.fail("its rows are points, of any range: leave data.range out");
  SampleForm form;
  form.kind = SampleKind::kPoint;
  form.shape.channels = static_cast<std::uint32_t>(layout.row_size());
  return form;
}

DatasetSource array_source(const std::string& name, std::unique_ptr<ArrayReader> array,
                           const OpenOptions& options) {
  const SampleForm form = form_of_array(*array, options.own.range);
  const std::uint64_t n = array->layout().n_rows();
  if (n < 2) array->fail("expected samples for training and for tests, found one");
  SampleParts parts = with_test_share(static_cast<std::uint32_t>(n), options.own.test_share);
  DatasetSource source;
  static_cast<SampleForm&>(source.about) = form;
  source.about.name = name;
  source.about.n_train = parts.n_train;
  source.about.n_test = static_cast<std::uint32_t>(n) - parts.n_train;
  const std::uint64_t hash = hash_of(kept_hash(*array, options), options.own.range, parts);
  source.files = std::make_shared<ArraySamples>(std::move(array), form, options.own.range,
                                                std::move(parts), hash);
  return source;
}

}  // namespace lipizz::data
