#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "core/ids.hpp"

namespace lipizz::checkpoint {

/// The saved cells of one run: `RUN/checkpoints/generation-000020/cell-0003.safetensors`. A
/// generation is complete when every cell has its file there.
class RunCheckpoints {
 public:
  RunCheckpoints(const std::filesystem::path& run, std::uint32_t n_cells);

  [[nodiscard]] std::filesystem::path file(Generation generation, CellId cell) const;
  /// Makes the generation's folder; any number of processes may. CheckpointError.
  void prepare(Generation generation) const;

  /// Removes every generation before `oldest_kept`. A file that cannot be removed stays.
  void remove_before(Generation oldest_kept) const;

  struct Found {
    Generation generation = 0;         // 0: none, the run starts from its seed
    std::vector<std::string> skipped;  // newer generations that cannot be used, and why
  };
  /// The newest generation up to `last` whose every file is whole and what its name says.
  /// CheckpointError when another configuration or numerics level than `expected` has written it
  /// (whose dataset and judge are not looked at: workers have them).
  [[nodiscard]] Found newest_complete(Generation last, const Lineage& expected) const;

 private:
  [[nodiscard]] std::filesystem::path folder(Generation generation) const;
  [[nodiscard]] std::vector<Generation> generations() const;
  [[nodiscard]] std::vector<CellOrigin> read_origins(Generation generation) const;

  std::filesystem::path root_;
  std::uint32_t n_cells_;
};

}  // namespace lipizz::checkpoint
