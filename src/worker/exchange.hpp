#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "comm/protocol.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "grid/schedule.hpp"
#include "grid/torus.hpp"

namespace lipizz::worker {

using Publication = std::shared_ptr<const Bytes>;

/// Where each cell is, and whose publications it reads.
struct Routes {
  grid::Torus torus;
  grid::Schedule schedule;
  Generation last_generation = 0;
  std::vector<Rank> rank_of_cell;
  Rank self;
  std::uint32_t incarnation = 1;  // of the assignment that says so
  bool is_asynchronous = false;
};

/// Publications between workers: those of this worker's cells go out to every cell elsewhere that
/// lists them, the neighbours' come in and wait until the training thread takes them. Cells of the
/// same worker read each other without it (coev::Island::receive_hosted()).
///
/// Publication g is made in generation g and read in generation g + 1; the last one is read once
/// more by those of the last generation's neighbourhood, to finish.
///
/// Publications of an incarnation that is over are dropped; those of one that this worker has not
/// begun yet wait for it.
///
/// An asynchronous exchange goes to the same readers; of what comes in, the newest of each
/// neighbour stays, and nobody waits for it.
class Exchange {
 public:
  /// Hands a publication for all its readers elsewhere to the message layer, which shares it until
  /// it has left.
  using Send = std::function<void(std::span<const comm::Reader>, const Publication&)>;
  explicit Exchange(Send send);

  /// Bytes that are held at most: of the last two publications of each hosted cell that is read
  /// elsewhere, on their way, and of one from each neighbour elsewhere.
  static std::size_t bytes(std::size_t publication_bytes, std::size_t n_read_elsewhere,
                           std::size_t n_neighbours_elsewhere);

  /// Training thread: before anything else, and again for every later incarnation. CommError when
  /// what has come early makes no sense.
  void begin(Routes routes);
  /// Training thread. `source` lives on this worker; `made` makes its publication, and is called
  /// where somebody elsewhere reads it.
  void publish(CellId source, Generation generation, const std::function<Bytes()>& made);
  /// Training thread. Waits for what `neighbour`, which lives elsewhere, published for `reader`;
  /// coev::Interrupted after interrupt().
  Publication take(CellId reader, CellId neighbour, Generation generation);

  /// Training thread, asynchronous exchange. The newest publication of `neighbour`, which lives
  /// elsewhere, for `reader`, which stays for further looks; nothing when none has come.
  /// coev::Interrupted after interrupt().
  Publication newest(CellId reader, CellId neighbour);

  /// Handler of messages. CommError when the header addresses no cell of this worker, or comes
  /// from no neighbour of it.
  void deliver(const comm::PublicationHeader& header, Bytes publication);
  /// Any thread: ends every wait of incarnations before this one, now and later.
  void interrupt(std::uint32_t incarnation = std::numeric_limits<std::uint32_t>::max());

  /// Publications of a hosted cell that left this worker, headers included.
  struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Traffic traffic(CellId source) const;

  [[nodiscard]] bool is_asynchronous() const { return routes_->is_asynchronous; }
  /// Training thread. True of a cell that lives on this worker.
  [[nodiscard]] bool is_local(CellId cell) const;

 private:
  struct Kept {
    Generation generation = 0;
    Publication publication;
  };
  using Address = std::tuple<CellId, CellId, Generation>;  // reader, neighbour, generation

  [[nodiscard]] std::vector<comm::Reader> readers_elsewhere(CellId source,
                                                            Generation generation) const;
  [[nodiscard]] std::vector<CellId> neighbours_reading(CellId cell, Generation publication) const;
  [[nodiscard]] bool is_interrupted() const { return routes_->incarnation < interrupted_before_; }
  [[nodiscard]] bool makes_sense(const comm::PublicationHeader& header) const;
  void accept(const comm::PublicationHeader& header, Bytes publication);
  void keep_if_newer(CellId reader, CellId neighbour, Kept arrived);

  Send send_;
  std::map<CellId, Traffic> traffic_;  // training thread only
  std::optional<Routes> routes_;       // changed by the training thread under the mutex

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<Address, Publication> inbox_;              // synchronous
  std::map<std::pair<CellId, CellId>, Kept> newest_;  // asynchronous; by reader and neighbour
  std::vector<std::pair<comm::PublicationHeader, Bytes>> early_;
  std::uint32_t interrupted_before_ = 0;
};

}  // namespace lipizz::worker
