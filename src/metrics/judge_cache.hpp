#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/bytes.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// The bytes of the file `name` in `cache_dir` if `accept` takes them without throwing, else those
/// that `make` makes, which then replace the file: whole or not at all, whoever else does the same.
/// Trouble with the files is only logged. An empty `cache_dir` keeps nothing.
Bytes cached(const std::filesystem::path& cache_dir, const std::string& name,
             const std::function<void(std::span<const std::byte>)>& accept,
             const std::function<Bytes()>& make, const Log& log);

}  // namespace lipizz::metrics
