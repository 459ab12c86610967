#include "data/stored_dataset.hpp"

#include <cstring>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/simd.hpp"

namespace lipizz::data {
namespace {

std::size_t region_bytes(const Description& about) {
  return about.content_bytes() + sizeof(std::uint64_t);
}

/// A region holds samples, then labels, then the hash of both.
Content content_of(const Description& about, std::span<std::byte> region) {
  const std::size_t n_values = std::size_t{about.n_samples()} * about.shape.size();
  Content content;
  if (about.kind == SampleKind::kImage) {
    content.pixels = {reinterpret_cast<std::uint8_t*>(region.data()), n_values};
  } else {
    content.values = {reinterpret_cast<float*>(region.data()), n_values};
  }
  const std::span<std::byte> labels = region.subspan(about.samples_bytes(), about.n_samples());
  content.labels = {reinterpret_cast<std::uint8_t*>(labels.data()), labels.size()};
  return content;
}

void write_hash(const Description& about, std::span<std::byte> region) {
  Hasher hasher;
  hasher.bytes(region.first(about.content_bytes()));
  const std::uint64_t hash = hasher.digest();
  std::memcpy(region.data() + about.content_bytes(), &hash, sizeof hash);
}

std::uint64_t read_hash(const Description& about, std::span<const std::byte> region) {
  std::uint64_t hash = 0;
  std::memcpy(&hash, region.data() + about.content_bytes(), sizeof hash);
  return hash;
}

LIPIZZ_MULTIVERSION
void pixels_to_values(const std::uint8_t* pixels, std::size_t n, float* values) {
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = (static_cast<float>(pixels[i]) / 255.0f - 0.5f) / 0.5f;
  }
}

void write_description(const Description& about, ByteWriter& writer) {
  writer.text(about.name);
  writer.value(about.kind);
  writer.value(about.shape);
  writer.value(about.n_condition_channels);
  writer.value(about.n_train);
  writer.value(about.n_test);
  writer.value(about.n_classes);
  writer.values(std::span<const Mode>(about.modes));
}

Description read_description(ByteReader& reader) {
  Description about;
  about.name = reader.text();
  about.kind = reader.value<SampleKind>();
  about.shape = reader.value<SampleShape>();
  about.n_condition_channels = reader.value<std::uint32_t>();
  about.n_train = reader.value<std::uint32_t>();
  about.n_test = reader.value<std::uint32_t>();
  about.n_classes = reader.value<std::uint32_t>();
  about.modes = reader.values<Mode>();
  return about;
}

}  // namespace

std::shared_ptr<const StoredDataset> StoredDataset::load(const DatasetSource& source,
                                                         std::uint32_t max_samples) {
  const Description& about = source.about;
  SharedRegion region = SharedRegion::create(region_bytes(about), [&](std::span<std::byte> memory) {
    source.load(content_of(about, memory));
    write_hash(about, memory);
  });
  return std::make_shared<const StoredDataset>(about, max_samples, std::move(region));
}

std::shared_ptr<const StoredDataset> StoredDataset::open(std::string_view name,
                                                         std::uint32_t max_samples,
                                                         std::span<const std::byte> handle) {
  ByteReader reader(handle, "a dataset's handle");
  Description about = read_description(reader);
  const auto content_hash = reader.value<std::uint64_t>();
  const auto region_handle = reader.values<std::byte>();
  reader.expect_end();
  if (about.name != name) {
    throw DataError("expected a handle of dataset " + std::string(name) + ", found one of " +
                    about.name);
  }
  SharedRegion region = SharedRegion::open(region_handle);
  if (region.bytes().size() != region_bytes(about)) {
    throw DataError("dataset " + about.name + ": expected " + std::to_string(region_bytes(about)) +
                    " bytes of shared memory, found " + std::to_string(region.bytes().size()));
  }
  // A process of another machine may answer to the same numbers, with memory of the same size.
  const std::uint64_t found_hash = read_hash(about, region.bytes());
  if (found_hash != content_hash) {
    throw DataError("dataset " + about.name + ": expected shared content " + to_hex(content_hash) +
                    ", found " + to_hex(found_hash));
  }
  return std::make_shared<const StoredDataset>(std::move(about), max_samples, std::move(region));
}

StoredDataset::StoredDataset(Description description, std::uint32_t max_samples,
                             SharedRegion region)
    : about_(std::move(description)),
      n_train_(about_.n_train_within(max_samples)),
      region_(std::move(region)),
      content_hash_(read_hash(about_, region_.bytes())) {}

void StoredDataset::read_train(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(indices, 0, out);
}

void StoredDataset::read_test(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(indices, about_.n_train, out);
}

std::uint8_t StoredDataset::train_label(std::uint32_t index) const {
  return label(index);
}

std::uint8_t StoredDataset::test_label(std::uint32_t index) const {
  return label(about_.n_train + index);
}

Bytes StoredDataset::share_handle() const {
  ByteWriter writer;
  write_description(about_, writer);
  writer.value(content_hash_);
  writer.values(std::span<const std::byte>(region_.handle()));
  return writer.take();
}

void StoredDataset::read(std::span<const std::uint32_t> indices, std::uint32_t offset,
                         std::span<float> out) const {
  const std::size_t size = about_.shape.size();
  LIPIZZ_ASSERT(out.size() == indices.size() * size);
  const std::size_t sample_bytes = size * about_.value_bytes();
  float* values = out.data();
  for (const std::uint32_t index : indices) {
    LIPIZZ_ASSERT(index < (offset == 0 ? about_.n_train : about_.n_test));
    const std::byte* sample = region_.bytes().data() + (offset + index) * sample_bytes;
    if (about_.kind == SampleKind::kImage) {
      pixels_to_values(reinterpret_cast<const std::uint8_t*>(sample), size, values);
    } else {
      std::memcpy(values, sample, sample_bytes);
    }
    values += size;
  }
}

std::uint8_t StoredDataset::label(std::uint32_t sample) const {
  LIPIZZ_ASSERT(sample < about_.n_samples());
  return static_cast<std::uint8_t>(region_.bytes()[about_.samples_bytes() + sample]);
}

}  // namespace lipizz::data
