#pragma once

#include <cstdint>
#include <string>

#include "checkpoint/safetensors.hpp"
#include "core/ids.hpp"

namespace lipizz::checkpoint {

/// The identity of a run and of its inputs. Only a run of the same lineage can continue a cell.
struct Lineage {
  std::uint64_t configuration = 0;  // hash of the settings that results depend on
  std::string numerics;
  std::uint64_t dataset = 0;  // hash of all samples and labels
  std::uint64_t judge = 0;    // hash of what scores are taken against

  bool operator==(const Lineage&) const = default;
};

/// Where a cell's file comes from.
struct CellOrigin {
  CellId cell;
  Generation generation = 0;
  Lineage lineage;

  bool operator==(const CellOrigin&) const = default;
};

/// As a file's metadata.
Metadata to_metadata(const CellOrigin& origin);

/// The counterpart. CheckpointError beginning with `place` when something is missing or malformed.
CellOrigin origin_of(const Metadata& metadata, const std::string& place);

}  // namespace lipizz::checkpoint
