#include "data/stored_dataset.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "data/reader_threads.hpp"
#include "data/sample_values.hpp"

namespace lipizz::data {
namespace {

/// A region holds samples, then labels, then the hash of both, each from a multiple of 8 bytes on.
struct Layout {
  explicit Layout(const Description& about)
      : labels(rounded(about.samples_bytes())), hash(rounded(labels + about.labels_bytes())) {}

  static std::size_t rounded(std::size_t n_bytes) { return (n_bytes + 7) / 8 * 8; }
  [[nodiscard]] std::size_t n_bytes() const { return hash + sizeof(std::uint64_t); }

  std::size_t labels;
  std::size_t hash;
};

Content content_of(const Description& about, std::span<std::byte> region) {
  const std::size_t n_values = std::size_t{about.n_samples()} * about.shape.size();
  Content content;
  if (about.kind == SampleKind::kImage) {
    content.pixels = {reinterpret_cast<std::uint8_t*>(region.data()), n_values};
  } else {
    content.values = {reinterpret_cast<float*>(region.data()), n_values};
  }
  std::byte* const labels = region.data() + Layout(about).labels;
  content.labels = {reinterpret_cast<Label*>(labels), about.n_samples()};
  return content;
}

// As many bytes of samples are on their way from memory at a time; larger ones the processor sees
// coming by itself.
constexpr std::size_t kBytesAhead = 4096;

void prefetch(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += kCacheLine) __builtin_prefetch(&bytes[i]);
}

// Neighbours in a file may lie in one compressed chunk.
std::vector<std::uint32_t> samples_as_they_lie(const SampleFiles& files, std::uint32_t n) {
  std::vector<std::uint32_t> samples(n);
  for (std::uint32_t i = 0; i < n; ++i) samples[files.place(i)] = i;
  return samples;
}

void load_files(const DatasetSource& source, std::span<std::byte> region, std::uint32_t n_readers) {
  const Description& about = source.about;
  const std::span<Label> labels = content_of(about, region).labels;
  const std::vector<std::uint32_t> samples = samples_as_they_lie(*source.files, about.n_samples());
  for_each_on_threads(about.n_samples(), n_readers, [&](std::uint32_t k) {
    const std::uint32_t i = samples[k];
    source.files->read(i, region.subspan(i * about.sample_bytes(), about.sample_bytes()));
    labels[i] = source.files->label(i);
  });
}

/// Fills the region but for the hash, and returns that.
std::uint64_t load_content(const DatasetSource& source, std::span<std::byte> region,
                           std::uint32_t n_readers) {
  if (source.files) {
    load_files(source, region, n_readers);
    return source.files->content_hash();
  }
  source.load(content_of(source.about, region));
  Hasher hasher;
  hasher.bytes(region.first(Layout(source.about).hash));
  return hasher.digest();
}

std::uint64_t read_hash(const Description& about, std::span<const std::byte> region) {
  std::uint64_t hash = 0;
  std::memcpy(&hash, region.data() + Layout(about).hash, sizeof hash);
  return hash;
}

void write_description(const Description& about, ByteWriter& writer) {
  writer.text(about.name);
  writer.value(about.kind);
  writer.value(about.shape);
  writer.value(about.n_condition_channels);
  writer.value(about.n_train);
  writer.value(about.n_test);
  writer.value(about.n_classes);
  writer.value(about.n_channel_classes);
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
  about.n_channel_classes = reader.value<std::uint32_t>();
  about.modes = reader.values<Mode>();
  return about;
}

}  // namespace

std::shared_ptr<const StoredDataset> StoredDataset::load(const DatasetSource& source,
                                                         const OpenOptions& options) {
  const Layout layout(source.about);
  const auto fill = [&](std::span<std::byte> memory) {
    const std::uint64_t hash = load_content(source, memory, options.n_readers);
    std::memcpy(memory.data() + layout.hash, &hash, sizeof hash);
  };
  return std::make_shared<const StoredDataset>(source.about, options.max_samples,
                                               SharedRegion::create(layout.n_bytes(), fill));
}

std::shared_ptr<const StoredDataset> StoredDataset::open(std::string_view name,
                                                         std::uint32_t max_samples,
                                                         std::span<const std::byte> handle) {
  ByteReader reader(handle, "a dataset's handle");
  Description about = read_description(reader);
  const auto content_hash = reader.value<std::uint64_t>();
  const auto region_handle = reader.bytes();
  reader.expect_end();
  if (about.name != name) {
    throw DataError("expected a handle of dataset " + std::string(name) + ", found one of " +
                    about.name);
  }
  SharedRegion region = SharedRegion::open(region_handle);
  if (region.bytes().size() != Layout(about).n_bytes()) {
    throw DataError("dataset " + about.name + ": expected " +
                    std::to_string(Layout(about).n_bytes()) + " bytes of shared memory, found " +
                    std::to_string(region.bytes().size()));
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
    : DescribedDataset(std::move(description), max_samples),
      region_(std::move(region)),
      content_hash_(read_hash(about(), region_.bytes())) {}

void StoredDataset::read_train(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(indices, 0, out);
}

void StoredDataset::read_test(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(indices, about().n_train, out);
}

Label StoredDataset::train_label(std::uint32_t index) const {
  return label(index);
}

Label StoredDataset::test_label(std::uint32_t index) const {
  return label(about().n_train + index);
}

Bytes StoredDataset::share_handle() const {
  ByteWriter writer;
  write_description(about(), writer);
  writer.value(content_hash_);
  writer.values(std::span<const std::byte>(region_.handle()));
  return writer.take();
}

// Samples lie anywhere in memory that is larger than caches: each is asked for while some before it
// are converted.
void StoredDataset::read(std::span<const std::uint32_t> indices, std::uint32_t offset,
                         std::span<float> out) const {
  const std::size_t size = about().shape.size();
  LIPIZZ_ASSERT(out.size() == indices.size() * size);
  const std::size_t sample_bytes = about().sample_bytes();
  const auto stored = [&](std::size_t i) {
    LIPIZZ_ASSERT(indices[i] < (offset == 0 ? about().n_train : about().n_test));
    const std::size_t place = std::size_t{offset} + indices[i];
    return region_.bytes().subspan(place * sample_bytes, sample_bytes);
  };
  const std::size_t n_ahead = kBytesAhead / sample_bytes;
  for (std::size_t i = 0; i < std::min(n_ahead, indices.size()); ++i) prefetch(stored(i));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (n_ahead > 0 && i + n_ahead < indices.size()) prefetch(stored(i + n_ahead));
    to_values(about().kind, stored(i), out.subspan(i * size, size));
  }
}

Label StoredDataset::label(std::uint32_t sample) const {
  LIPIZZ_ASSERT(sample < about().n_samples());
  Label label = 0;
  std::memcpy(&label, region_.bytes().data() + Layout(about()).labels + sample * sizeof label,
              sizeof label);
  return label;
}

}  // namespace lipizz::data
