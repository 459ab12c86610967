#pragma once

#include <cstdint>
#include <string>

#include "checkpoint/safetensors.hpp"
#include "core/ids.hpp"

namespace lipizz::checkpoint {

/// Where a cell's file comes from. Only a run of the same configuration, numerics level, data and
/// judge may continue it.
struct CellOrigin {
  CellId cell;
  Generation generation = 0;
  std::uint64_t configuration = 0;  // hash of the settings that results depend on
  std::string numerics;
  std::uint64_t dataset = 0;  // hash of all samples and labels
  std::uint64_t judge = 0;    // hash of what scores are taken against

  bool operator==(const CellOrigin&) const = default;
};

/// As a file's metadata.
Metadata to_metadata(const CellOrigin& origin);

/// The counterpart. CheckpointError beginning with `place` when something is missing or malformed.
CellOrigin origin_of(const Metadata& metadata, const std::string& place);

}  // namespace lipizz::checkpoint
