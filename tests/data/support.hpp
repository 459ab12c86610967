#pragma once

#include <gmock/gmock.h>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "data/dataset.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data {

using Octets = std::vector<std::uint8_t>;

inline void write_file(const std::filesystem::path& path, const Octets& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file) throw DataError("cannot write " + path.string());
}

/// The folder `dataset` in that of LIPIZZ_DATA_DIR exists; only then the real files can be tested.
inline bool has_real(const std::string& dataset) {
  const char* data_dir = std::getenv("LIPIZZ_DATA_DIR");
  return data_dir != nullptr &&
         std::filesystem::is_directory(std::filesystem::path(data_dir) / dataset);
}

/// The message of the DataError that `action` throws; a failure when it throws none.
inline std::string data_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no DataError was thrown";
  return {};
}

inline std::vector<std::uint32_t> first_indices(std::uint32_t n) {
  std::vector<std::uint32_t> indices(n);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

inline std::vector<float> read_test(const Dataset& dataset, std::uint32_t n) {
  std::vector<float> samples(std::size_t{n} * dataset.shape().size());
  dataset.read_test(first_indices(n), samples);
  return samples;
}

inline std::vector<float> read_train(const Dataset& dataset, std::uint32_t n) {
  std::vector<float> samples(std::size_t{n} * dataset.shape().size());
  dataset.read_train(first_indices(n), samples);
  return samples;
}

}  // namespace lipizz::data
