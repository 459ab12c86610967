#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// The migrants: the neighbours' centres as they published them, one copy for all cells of an
/// island (Schmiedlechner et al. 2018 pull them over HTTP). Departure: in the original a copy may
/// be half written and of any generation; here it is whole, and of the generation that is asked
/// for.
class Neighbours {
 public:
  /// The settings must outlive it.
  explicit Neighbours(const Settings& settings);

  /// Bytes that the copies of so many neighbours take.
  static std::size_t bytes(const Settings& settings, std::size_t n_neighbours);
  /// Their moments that do not lie in memory, which are not among these.
  static std::size_t offloaded_bytes(const Settings& settings, std::size_t n_neighbours);

  /// Takes publication `generation` of a cell; handed over again, it changes nothing. CommError
  /// when it is another's, of another generation, of other networks, or not finite: centres always
  /// are.
  void receive(CellId source, Generation generation, std::span<const std::byte> publication);

  /// The same of a cell that is hosted beside the reader: `published` (coev/publication.hpp) shares
  /// its arrays.
  void share(CellId source, Generation generation, Pair published);

  /// Takes a publication of any generation; one that is older than what it has changes nothing.
  /// CommError as above.
  void receive_newer(CellId source, std::span<const std::byte> publication);

  /// InternalError unless that publication has been received.
  [[nodiscard]] const Pair& at(CellId source, Generation generation) const;
  /// The last one received, whatever its generation. InternalError when there is none.
  [[nodiscard]] const Pair& latest(CellId source) const;
  /// Its generation; nothing when there is none.
  [[nodiscard]] std::optional<Generation> latest_generation(CellId source) const;

  /// Forgets what is older.
  void drop_before(Generation generation);

 private:
  struct Snapshot {
    Generation generation = 0;
    bool is_complete = false;
    std::size_t n_bytes = 0;
    Pair pair;
  };
  [[nodiscard]] const Snapshot* find(CellId source) const;

  PerRole<GenomeShape> shapes_;
  std::map<CellId, Snapshot> snapshots_;
};

}  // namespace lipizz::coev
