#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace lipizz::data {

/// Takes single lines for the log.
struct Log {
  std::function<void(std::string_view)> info = [](std::string_view) {};
  std::function<void(std::string_view)> warning = [](std::string_view) {};
};

/// Where is kept from one run to the next what took long to make: judges, indices of folders.
struct CacheFolders {
  std::vector<std::filesystem::path> lasting;  // that the environment names, in order
  std::filesystem::path beside_run;            // where none of these takes a file; empty: nowhere
};

/// Larger files are not read, unless who reads them expects such.
inline constexpr std::uint64_t kMostCachedBytes = std::uint64_t{256} << 20;

/// The bytes of the first file `name` in the cache's folders that `accept` takes without throwing,
/// else those that `make` makes. These are written to the first folder that takes them, whole or
/// not at all, whoever else does the same. Trouble with files ends nothing: a line of the log says
/// which file was not accepted, one warning that the first folder does not take it and where it is
/// kept instead. Without any folder nothing is kept.
Bytes cached(const CacheFolders& cache, const std::string& name,
             const std::function<void(std::span<const std::byte>)>& accept,
             const std::function<Bytes()>& make, const Log& log);

/// The first half of that alone: nothing where no file of at most `n_most_bytes` is accepted.
std::optional<Bytes> find_in_cache(const CacheFolders& cache, const std::string& name,
                                   const std::function<void(std::span<const std::byte>)>& accept,
                                   const Log& log, std::uint64_t n_most_bytes = kMostCachedBytes);
/// And the second.
void keep_in_cache(const CacheFolders& cache, const std::string& name,
                   std::span<const std::byte> bytes, const Log& log);

}  // namespace lipizz::data
