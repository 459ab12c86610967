#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/bytes.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// The bytes of the first file `name` in the cache's folders that `accept` takes without throwing,
/// else those that `make` makes. These are written to the first folder that takes them, whole or
/// not at all, whoever else does the same. Trouble with files ends nothing: a line of the log says
/// which file was not accepted, one warning that the first folder does not take it and where it is
/// kept instead. Without any folder nothing is kept.
Bytes cached(const CacheFolders& cache, const std::string& name,
             const std::function<void(std::span<const std::byte>)>& accept,
             const std::function<Bytes()>& make, const Log& log);

}  // namespace lipizz::metrics
