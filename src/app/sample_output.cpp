#include "app/sample_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/new_folder.hpp"
#include "core/atomic_file.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "data/npy.hpp"
#include "data/png.hpp"
#include "data/sheet.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSheetBytes = std::uint64_t{1} << 28;

constexpr const char* kCommand = "generate";

fs::path beside(const fs::path& file, const std::string& what) {
  return file.parent_path() / (file.stem().string() + what);
}

// How samples are shown: of pairs both halves side by side.
struct Pictures {
  explicit Pictures(const worker::MixtureDescription& mixture)
      : sample(mixture.shape),
        is_pair(mixture.model.n_condition_channels > 0),
        shape(data::picture_shape(sample, is_pair)) {}

  [[nodiscard]] std::vector<std::uint8_t> pixels(std::span<const float> samples) const {
    return data::sample_pixels(sample, is_pair, samples);
  }

  data::SampleShape sample;
  bool is_pair;
  data::SampleShape shape;
};

// The classes of samples, and their neighbours, where there are any.
class Annotations {
 public:
  Annotations(const GenerateRequest& request, std::uint32_t n_classes, const fs::path& labels,
              const fs::path& nearest)
      : n_nearest_(request.n_nearest) {
    if (n_classes > 0) {
      expect_nothing_at(kCommand, labels);
      labels_.emplace(labels, data::ArrayLayout{type_of_labels(n_classes), {request.n}});
      is_byte_ = type_of_labels(n_classes) == data::ElementType::kUint8;
      names_ += ", " + labels.filename().string();
    }
    if (n_nearest_ > 0) {
      expect_nothing_at(kCommand, nearest);
      nearest_.emplace(nearest);
      write_line("sample,rank,training_index,distance\n");
      names_ += ", " + nearest.filename().string();
    }
  }

  void take(const SamplePart& part) {
    if (labels_) write_labels(part.labels);
    std::string lines;
    for (std::size_t i = 0; nearest_ && i < part.neighbours.size(); ++i) {
      const data::Neighbour& neighbour = part.neighbours[i];
      lines += fmt::format("{},{},{},{}\n", n_taken_ + i / n_nearest_, i % n_nearest_,
                           neighbour.index, neighbour.distance);
    }
    if (nearest_) {
      write_line(lines);
      n_taken_ += part.neighbours.size() / n_nearest_;
    }
  }
  void commit() {
    if (labels_) labels_->commit();
    if (nearest_) nearest_->commit();
  }
  // `, labels.npy, nearest.csv`
  [[nodiscard]] const std::string& names() const { return names_; }

 private:
  // Floats hold whole numbers of 24 bits.
  static data::ElementType type_of_labels(std::uint32_t n_classes) {
    return n_classes <= 256 ? data::ElementType::kUint8 : data::ElementType::kFloat32;
  }
  void write_labels(std::span<const data::Label> labels) {
    if (is_byte_) {
      std::vector<std::uint8_t> bytes;
      for (const data::Label label : labels) bytes.push_back(static_cast<std::uint8_t>(label));
      labels_->write(bytes);
    } else {
      labels_->write(std::vector<float>(labels.begin(), labels.end()));
    }
  }
  void write_line(const std::string& text) { nearest_->write(std::as_bytes(std::span(text))); }

  std::uint32_t n_nearest_;
  std::uint64_t n_taken_ = 0;
  std::optional<data::NpyWriter> labels_;
  bool is_byte_ = true;  // of a label
  std::optional<AtomicFile> nearest_;
  std::string names_;
};

// The folder appears as a whole, so that a file of it need not be put on the disk by itself.
void write_file(const fs::path& path, const Bytes& bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw CheckpointError("cannot write " + path.string() + ": " +
                          std::generic_category().message(errno) +
                          "; check that the folder may be written to and has room");
  }
}

class PngFolder final : public SampleOutput {
 public:
  PngFolder(const GenerateRequest& request, const worker::MixtureDescription& mixture)
      : pictures_(mixture),
        place_(request.output),
        n_(request.n),
        folder_(kCommand, request.output),
        annotations_(request, mixture.model.n_classes(), folder_.path() / "labels.npy",
                     folder_.path() / "nearest.csv") {}

  void take(const SamplePart& part) override {
    const std::vector<std::uint8_t> pixels = pictures_.pixels(part.samples);
    const data::SampleShape& shape = pictures_.shape;
    for (auto own = pixels.begin(); own != pixels.end(); own += shape.size()) {
      data::Image image(shape.width, shape.height, shape.channels);
      std::copy_n(own, shape.size(), image.pixels.begin());
      write_file(folder_.path() / name(n_written_++), data::encode_png(image));
    }
    annotations_.take(part);
  }
  std::string finish() override {
    annotations_.commit();
    folder_.put_in_place();
    return fmt::format("{}/: {} to {}{}", place_.string(), name(0), name(n_ - 1),
                       annotations_.names());
  }

 private:
  static std::string name(std::uint32_t i) { return fmt::format("{:06}.png", i); }

  Pictures pictures_;
  fs::path place_;
  std::uint32_t n_;
  std::uint32_t n_written_ = 0;
  NewFolder folder_;
  Annotations annotations_;
};

data::ArrayLayout array_of(const GenerateRequest& request,
                           const worker::MixtureDescription& mixture) {
  if (mixture.kind == data::SampleKind::kPoint) {
    return {data::ElementType::kFloat32, {request.n, mixture.shape.size()}};
  }
  const data::SampleShape shape = Pictures(mixture).shape;
  data::ArrayLayout layout{data::ElementType::kUint8, {request.n, shape.height, shape.width}};
  if (shape.channels > 1) layout.shape.push_back(shape.channels);
  return layout;
}

class ArrayFile final : public SampleOutput {
 public:
  ArrayFile(const GenerateRequest& request, const worker::MixtureDescription& mixture)
      : pictures_(mixture),
        layout_(array_of(request, mixture)),
        place_(request.output),
        file_(request.output, layout_),
        annotations_(request, mixture.model.n_classes(), beside(place_, "-labels.npy"),
                     beside(place_, "-nearest.csv")) {}

  void take(const SamplePart& part) override {
    if (layout_.type == data::ElementType::kUint8) {
      file_.write(pictures_.pixels(part.samples));
    } else {
      file_.write(part.samples);
    }
    annotations_.take(part);
  }
  std::string finish() override {
    annotations_.commit();
    file_.commit();
    return fmt::format("{}, shape {}, {}{}", place_.string(), data::shape_text(layout_.shape),
                       layout_.type == data::ElementType::kUint8 ? "uint8" : "float32",
                       annotations_.names());
  }

 private:
  Pictures pictures_;
  data::ArrayLayout layout_;
  fs::path place_;
  data::NpyWriter file_;
  Annotations annotations_;
};

class CsvFile final : public SampleOutput {
 public:
  CsvFile(const GenerateRequest& request, const worker::MixtureDescription& mixture)
      : n_values_(mixture.shape.size()),
        place_(request.output),
        file_(request.output),
        annotations_(request, mixture.model.n_classes(), beside(place_, "-labels.npy"),
                     beside(place_, "-nearest.csv")) {}

  void take(const SamplePart& part) override {
    std::string lines;
    for (std::size_t i = 0; i < part.samples.size(); ++i) {
      lines += fmt::format("{}{}", part.samples[i], (i + 1) % n_values_ == 0 ? '\n' : ',');
    }
    file_.write(std::as_bytes(std::span(lines)));
    annotations_.take(part);
  }
  std::string finish() override {
    annotations_.commit();
    file_.commit();
    return place_.string() + annotations_.names();
  }

 private:
  std::size_t n_values_;
  fs::path place_;
  AtomicFile file_;
  Annotations annotations_;
};

// Its picture is written over the whole width of a page at least.
void write_sheet(const fs::path& place, const data::Image& picture) {
  data::write_png(place, data::enlarged(picture));
}

class PointSheet final : public SampleOutput {
 public:
  PointSheet(fs::path place, const data::Dataset& dataset)
      : place_(std::move(place)), dataset_(dataset) {}

  void take(const SamplePart& part) override {
    points_.insert(points_.end(), part.samples.begin(), part.samples.end());
  }
  std::string finish() override {
    write_sheet(place_, data::sample_sheet(dataset_, points_, 1, data::kSheetWidth));
    return place_.string();
  }

 private:
  fs::path place_;
  const data::Dataset& dataset_;
  std::vector<float> points_;
};

class ImageSheet final : public SampleOutput {
 public:
  ImageSheet(const GenerateRequest& request, const worker::MixtureDescription& mixture,
             const data::Dataset* dataset)
      : pictures_(mixture),
        place_(request.output),
        n_(request.n),
        n_nearest_(request.n_nearest),
        n_steps_(request.between.empty() ? 0 : request.n_steps),
        dataset_(dataset) {
    const std::uint64_t n_bytes = std::uint64_t{n_} * (1 + n_nearest_) * pictures_.shape.size();
    if (n_bytes > kMostSheetBytes) {
      throw ConfigError(fmt::format(
          "--format sheet: {} images are too many for one picture, which takes at most {}; choose "
          "png or npy",
          n_, kMostSheetBytes / ((1 + n_nearest_) * pictures_.shape.size())));
    }
  }

  void take(const SamplePart& part) override {
    const std::size_t size = pictures_.sample.size();
    for (std::size_t i = 0; i < part.samples.size() / size; ++i) {
      add(part.samples.subspan(i * size, size));
      if (n_nearest_ > 0) add(read(part.neighbours.subspan(i * n_nearest_, n_nearest_)));
    }
  }
  std::string finish() override {
    write_sheet(place_, n_nearest_ > 0 ? with_neighbours() : plain());
    return place_.string();
  }

 private:
  void add(std::span<const float> samples) {
    const std::vector<std::uint8_t> pixels = pictures_.pixels(samples);
    pixels_.insert(pixels_.end(), pixels.begin(), pixels.end());
  }
  [[nodiscard]] std::vector<float> read(std::span<const data::Neighbour> neighbours) const {
    std::vector<std::uint32_t> indices;
    for (const data::Neighbour& neighbour : neighbours) indices.push_back(neighbour.index);
    std::vector<float> images(indices.size() * pictures_.sample.size());
    dataset_->read_train(indices, images);
    return images;
  }

  // Columns that make a sheet of n tiles about as wide as it is high.
  static std::uint32_t columns_of(std::uint32_t n, double tile_width, double tile_height) {
    const double columns = std::ceil(std::sqrt(n * tile_height / tile_width));
    return std::clamp(static_cast<std::uint32_t>(columns), 1U, n);
  }
  [[nodiscard]] data::Image plain() const {
    const auto& [height, width, channels] = pictures_.shape;
    return data::tile_sheet(pictures_.shape, pixels_,
                            n_steps_ > 0 ? n_steps_ : columns_of(n_, width, height));
  }
  // Strips with a border between: the sample, then its neighbours, the nearest first.
  [[nodiscard]] data::Image with_neighbours() const {
    const std::size_t n_values = (1 + n_nearest_) * std::size_t{pictures_.shape.size()};
    std::vector<data::Image> strips;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto own = std::span<const std::uint8_t>(pixels_).subspan(i * n_values, n_values);
      strips.push_back(data::tile_sheet(pictures_.shape, own, 1 + n_nearest_));
    }
    const std::uint32_t columns = columns_of(n_, strips[0].width, strips[0].height);
    const std::uint32_t rows = (n_ + columns - 1) / columns;
    while (strips.size() < std::size_t{rows} * columns) {
      strips.emplace_back(strips[0].width, strips[0].height, strips[0].channels);
    }
    return data::grid_sheet(strips, rows, columns);
  }

  Pictures pictures_;
  fs::path place_;
  std::uint32_t n_;
  std::uint32_t n_nearest_;
  std::uint32_t n_steps_;  // of a line; 0: no lines
  const data::Dataset* dataset_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace

std::unique_ptr<SampleOutput> make_output(const GenerateRequest& request,
                                          const worker::MixtureDescription& mixture,
                                          const data::Dataset* dataset) {
  expect_nothing_at(kCommand, request.output);
  switch (*request.format) {
    case SampleFormat::kPng:
      return std::make_unique<PngFolder>(request, mixture);
    case SampleFormat::kNpy:
      return std::make_unique<ArrayFile>(request, mixture);
    case SampleFormat::kCsv:
      return std::make_unique<CsvFile>(request, mixture);
    case SampleFormat::kSheet:
      break;
  }
  if (mixture.kind == data::SampleKind::kPoint) {
    return std::make_unique<PointSheet>(request.output, *dataset);
  }
  return std::make_unique<ImageSheet>(request, mixture, dataset);
}

}  // namespace lipizz::app
