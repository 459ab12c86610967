#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
  /// Makes the generation's folder in that of the run, which is there; any number of processes may.
  /// CheckpointError.
  void prepare(Generation generation) const;
  /// Notes in RUN/saved.json that every cell of this generation is saved: from then on the run is
  /// one that has something to lose, wherever its checkpoints are. `experiment` is the run's, in
  /// JSON. CheckpointError.
  void note_saved(Generation generation, const std::string& experiment) const;
  /// The experiment of that note, unparsed; nothing where there is no such note.
  [[nodiscard]] std::optional<std::string> noted_experiment() const;

  /// Removes every generation before `oldest_kept`. A file that cannot be removed stays.
  /// CheckpointError when it cannot be told which generations there are.
  void remove_before(Generation oldest_kept) const;

  /// The newest generation of which every cell's file is there, unread; 0: none.
  [[nodiscard]] Generation newest_with_all_files() const;

  struct Found {
    Generation generation = 0;         // 0: none
    bool was_saved = false;            // some generation was saved whole, be it still of use or not
    std::vector<std::string> skipped;  // newer generations that cannot be used, and why
    std::size_t n_beyond = 0;          // of these, the first: they are beyond `last`
  };
  /// The newest generation up to `last` whose every file is whole and what its name says. Whatever
  /// cannot be read is no reason to take a run for one that has saved nothing.
  /// CheckpointError when another configuration or numerics level than `expected` has written it
  /// (whose dataset and judge are not looked at: workers have them).
  [[nodiscard]] Found newest_complete(Generation last, const Lineage& expected) const;

 private:
  [[nodiscard]] std::filesystem::path folder(Generation generation) const;
  [[nodiscard]] std::vector<Generation> generations() const;
  [[nodiscard]] std::string why_not(Generation generation, Generation last,
                                    const Lineage& expected) const;
  [[nodiscard]] bool has_every_file(Generation generation) const;
  [[nodiscard]] std::vector<CellOrigin> read_origins(Generation generation) const;

  std::filesystem::path root_;
  std::filesystem::path note_;
  std::uint32_t n_cells_;
};

}  // namespace lipizz::checkpoint
