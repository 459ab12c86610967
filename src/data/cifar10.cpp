#include "data/cifar10.hpp"

#include <array>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "data/files.hpp"

namespace lipizz::data {
namespace {

namespace fs = std::filesystem;

constexpr SampleShape kShape{.height = 32, .width = 32, .channels = 3};
constexpr std::uint32_t kPlane = 32 * 32;
constexpr std::uint32_t kSample = 3 * kPlane;
constexpr std::uint32_t kRecord = 1 + kSample;
constexpr std::uint32_t kMostRecords = 10'000;
constexpr std::uint32_t kClasses = 10;
constexpr std::uint32_t kTrainingFiles = 5;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::uint32_t count_records(const fs::path& path) {
  std::error_code failure;
  const std::uintmax_t n_bytes = fs::file_size(path, failure);
  if (failure) refuse_file(path, "cannot tell its size: " + failure.message());
  const std::uintmax_t n_records = n_bytes / kRecord;
  if (n_bytes % kRecord != 0 || n_records == 0 || n_records > kMostRecords) {
    refuse_file(path, "expected 1 to " + std::to_string(kMostRecords) + " records of " +
                          std::to_string(kRecord) + " bytes, found " + std::to_string(n_bytes) +
                          " bytes");
  }
  return static_cast<std::uint32_t>(n_records);
}

void interleave(std::span<const std::uint8_t> planes, std::span<std::uint8_t> pixels) {
  for (std::uint32_t i = 0; i < kPlane; ++i) {
    for (std::uint32_t c = 0; c < 3; ++c) pixels[3 * i + c] = planes[c * kPlane + i];
  }
}

// A gap before the last file that is there is an error when that file is opened.
std::vector<CifarFile> training_files(const fs::path& folder) {
  const auto path = [&](std::uint32_t number) {
    return folder / ("data_batch_" + std::to_string(number) + ".bin");
  };
  std::uint32_t last = kTrainingFiles;
  while (last > 1 && !is_there(path(last))) --last;
  std::vector<CifarFile> files;
  for (std::uint32_t number = 1; number <= last; ++number) files.emplace_back(path(number));
  return files;
}

CifarFile test_file(const fs::path& folder) {
  const fs::path whole = folder / "test_batch.bin";
  const fs::path first = folder / "test_batch_first1000.bin";
  return CifarFile(!is_there(whole) && is_there(first) ? first : whole);
}

}  // namespace

CifarFile::CifarFile(const fs::path& path)
    : path_(path), file_(open_file(path)), n_records_(count_records(path)) {}

void CifarFile::read(std::span<std::uint8_t> pixels, std::span<Label> labels) {
  LIPIZZ_ASSERT(pixels.size() == std::size_t{n_records_} * kSample && labels.size() == n_records_);
  std::array<std::uint8_t, kRecord> record;
  for (std::uint32_t i = 0; i < n_records_; ++i) {
    if (!file_.read(reinterpret_cast<char*>(record.data()), kRecord)) {
      refuse_file(path_, "it cannot be read to its end");
    }
    labels[i] = record[0];
    if (labels[i] >= kClasses) {
      refuse_file(path_, "expected labels from 0 to " + std::to_string(kClasses - 1) + ", found " +
                             std::to_string(labels[i]) + " in record " + std::to_string(i));
    }
    interleave(std::span(record).subspan(1), pixels.subspan(std::size_t{i} * kSample, kSample));
  }
}

DatasetSource find_cifar10(const OpenOptions& options) {
  const fs::path folder = dataset_folder("cifar10", options);
  const auto files = std::make_shared<std::vector<CifarFile>>(training_files(folder));
  Description about;
  about.name = "cifar10";
  about.shape = kShape;
  about.n_classes = kClasses;
  for (const CifarFile& file : *files) about.n_train += file.n_records();
  about.n_test = files->emplace_back(test_file(folder)).n_records();
  return {std::move(about), [files](Content content) {
            for (CifarFile& file : *files) {
              const std::size_t n_pixels = std::size_t{file.n_records()} * kSample;
              file.read(content.pixels.first(n_pixels), content.labels.first(file.n_records()));
              content.pixels = content.pixels.subspan(n_pixels);
              content.labels = content.labels.subspan(file.n_records());
            }
          }};
}

}  // namespace lipizz::data
