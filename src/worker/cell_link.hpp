#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "core/clock.hpp"
#include "core/ids.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::worker {

/// The way between the ranks of a cell over CELL. Before begin() this rank is alone. The training
/// thread sends and receives; a handler of messages delivers.
///
/// Messages of an incarnation that is over are dropped; those of one that this rank has not begun
/// yet wait for it.
class CellLink final : public parallel::RankLink {
 public:
  struct Channel {
    /// Sends to a rank of WORLD, and returns at once.
    std::function<void(Rank, Bytes)> send;
    /// As CommManager::progress_until().
    std::function<void(const std::function<bool()>& is_over, double max_s)> progress_until;
    const Clock* clock = nullptr;
  };
  /// Before the first begin(), once. The clock must outlive the link.
  void connect(Channel channel) { channel_ = std::move(channel); }

  /// Training thread, for every incarnation: the ranks that compute together from now on, in order,
  /// this one among them.
  void begin(std::vector<Rank> ranks, Rank self, std::uint32_t incarnation);

  [[nodiscard]] RankInCell self() const override { return self_; }
  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(ranks_.size());
  }
  /// Both throw coev::Interrupted when interrupted.
  void send(RankInCell to, Bytes message) override;
  [[nodiscard]] Bytes receive(RankInCell from) override;
  void begin_collective(std::string_view name) override { collective_ = name; }
  /// Any thread. The rank of WORLD for whose message receive() waits, and in which collective; the
  /// master where it waits for none.
  [[nodiscard]] std::pair<Rank, std::string_view> waits_for();
  /// Seconds, in all incarnations so far, for which receive() has waited for messages that were not
  /// there. Training thread.
  [[nodiscard]] double waited_s() const { return waited_s_; }

  /// For the handler of messages. CommError when the message makes no sense.
  void deliver(Rank from, Bytes message);
  /// Any thread. Ends every wait of an incarnation before this one, from now on.
  void interrupt(std::uint32_t incarnation = std::numeric_limits<std::uint32_t>::max());

 private:
  struct Message {
    std::uint32_t incarnation;
    Bytes bytes;
  };
  [[nodiscard]] bool is_interrupted() const { return incarnation_ < interrupted_before_; }

  void wait(Rank from, std::unique_lock<std::mutex>& lock, const std::function<bool()>& is_over);

  Channel channel_;
  std::vector<Rank> ranks_{Rank{}};  // changed by the training thread alone
  RankInCell self_;
  double waited_s_ = 0;
  std::string_view collective_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::uint32_t incarnation_ = 0;  // under mutex_, like what follows
  std::uint32_t interrupted_before_ = 0;
  std::map<Rank, std::deque<Message>> inbox_;
  std::pair<Rank, std::string_view> waits_for_{kMaster, {}};
};

}  // namespace lipizz::worker
