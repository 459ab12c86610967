#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {

/// Where the networks of a run come from, by its lines of metrics alone; pure functions.
///
/// A cell has one generator and one discriminator, its centre, and makes the next of each in one of
/// three ways (docs/algorithm.md, selection and replacement; docs/lineage.md shows them):
/// - trained: its offspring took the centre's place. The offspring was a copy of the centre of a
///   neighbour or of the cell itself (`origin`), as that was at the end of the generation before.
/// - kept: the offspring was not taken. The network is the one of the generation before.
/// - copied: nothing finite was at hand, and a neighbour's centre was copied.
/// With an asynchronous exchange a neighbour's centre is of another generation than the one before,
/// which the age in the line tells.

/// Either network of a cell.
enum class NetworkRole { kGenerator, kDiscriminator };

/// A cell's centre at the end of a generation; of generation 0: its seeded start.
struct Place {
  Generation generation = 0;
  CellId cell;

  auto operator<=>(const Place&) const = default;
};

/// A network trains with this before anything has mutated; the configuration says so.
struct Beginning {
  double rate = 0;
  std::string objective;  // name of the loss
};

/// A network at the end of a generation.
struct Ancestor {
  enum class Event { kSeeded, kTrained, kKept, kCopied };

  Place place;
  Event event = Event::kSeeded;
  Place parent;  // the network that it was made of; of a seeded one: itself
  /// Its learning rate, and the loss that it trained with, last: of one that was kept or copied,
  /// those of the training that made it. NaN and empty where that line is missing.
  double rate = 0;
  std::string objective;
  /// Its fitness against the neighbourhood of that generation; NaN: not finite, or a seeded one,
  /// which nobody has told.
  double loss = 0;
};

/// A network's ancestors in an unbroken line of parents.
struct Lineage {
  std::vector<Ancestor> ancestors;  // the network itself first, then its parent, ...
  /// Where the line breaks off: whose line of metrics is missing, or damaged. None: it goes back to
  /// a seeded start.
  std::optional<Place> missing;
};

/// The lineage of a network. `lines` are those of a run, sorted by generation and cell, any of them
/// missing; at most one step is made for each of them.
Lineage lineage_of(std::span<const MetricsLine> lines, NetworkRole role, const Place& newest,
                   const Beginning& beginning);

/// The line of that cell and generation; null where it is missing.
const MetricsLine* find_line(std::span<const MetricsLine> lines, const Place& place);

/// The generators that a cell's mixture was made of in that line's generation, its own first: of
/// the same generation its own, of the one before those of its neighbours (asynchronously, as old
/// as their ages say). Members whose age is unknown are left out.
std::vector<Place> mixture_members(const MetricsLine& line);

/// The youngest network from which all of these descend; none where they share none.
std::optional<Place> common_ancestor(std::span<const Lineage> lineages);

/// Generations in a row in which the ancestors were in one cell.
struct Stay {
  CellId cell;
  Generation first = 0;
  Generation last = 0;
  std::optional<Place> came_from;  // none: it was seeded there, or the lineage breaks off before
  std::uint32_t n_trained = 0;     // generations that trained it; in the others it was kept
  std::vector<std::string> objectives;  // that it trained with, the newest first, each once
  Ancestor oldest;
  Ancestor newest;
  double first_loss = 0;  // of the oldest whose loss is known; NaN: of none
};

/// The ancestors by their stays, the newest first.
std::vector<Stay> stays_of(const Lineage& lineage);

}  // namespace lipizz::report
