#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"

namespace lipizz::data {

/// The files of datasets: where they lie, and what is said of one that is missing or bad.

/// The folder of this name in data_dir; DataError when no data_dir is given.
std::filesystem::path dataset_folder(std::string_view name, const OpenOptions& options);

/// Opens a file for reading; DataError naming it, the reason and what to do when that fails.
std::ifstream open_file(const std::filesystem::path& path);

/// The whole content of a file; DataError when it has more than `n_most` bytes.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::size_t n_most);

/// The files of a folder whose names end with `extension` (".jpg"), in the order of their names,
/// one at least; DataError otherwise.
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder,
                                              std::string_view extension);

/// DataError `PATH: what; how to get a good one`.
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& what);

}  // namespace lipizz::data
