#pragma once

#include <utility>

#include "comm/communicator.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::parallel {

/// All ranks of a communicator as those of one cell, or so many that follow each other.
class WorldLink final : public RankLink {
 public:
  explicit WorldLink(comm::Communicator& world) : WorldLink(world, world.size()) {}
  WorldLink(comm::Communicator& world, int ranks_per_cell)
      : world_(world),
        size_(ranks_per_cell),
        first_(world.rank() / ranks_per_cell * ranks_per_cell) {}
  ~WorldLink() override {
    for (comm::Request& send : sends_) send.wait();
  }
  [[nodiscard]] RankInCell self() const override {
    return {static_cast<std::uint32_t>(world_.rank() - first_)};
  }
  [[nodiscard]] std::uint32_t size() const override { return static_cast<std::uint32_t>(size_); }
  void send(RankInCell to, Bytes message) override {
    ++n_sent_;
    n_bytes_ += message.size();
    sends_.push_back(world_.isend(rank_of(to), 0, std::move(message), "a part"));
  }
  [[nodiscard]] Bytes receive(RankInCell from) override {
    return world_.receive(rank_of(from), 0, "a part");
  }

  [[nodiscard]] std::size_t n_sent() const { return n_sent_; }
  [[nodiscard]] std::size_t n_bytes() const { return n_bytes_; }

 private:
  [[nodiscard]] int rank_of(RankInCell rank) const { return first_ + static_cast<int>(rank.value); }

  comm::Communicator& world_;
  int size_, first_;
  std::vector<comm::Request> sends_;
  std::size_t n_sent_ = 0, n_bytes_ = 0;
};

/// The same, where one rank is as late as can be: a message of its own leaves once its receiver
/// waits for it. That is no use where ranks exchange in orders of their own, as with ZeRO's stages
/// 2 and 3.
class LateLink final : public RankLink {
 public:
  /// `words` is another communicator of the same ranks.
  LateLink(comm::Communicator& world, comm::Communicator& words, int late)
      : link_(world), words_(words), late_(late) {}
  [[nodiscard]] RankInCell self() const override { return link_.self(); }
  [[nodiscard]] std::uint32_t size() const override { return link_.size(); }
  void send(RankInCell to, Bytes message) override {
    if (words_.rank() == late_) {
      static_cast<void>(words_.receive(static_cast<int>(to.value), 0, "about to wait"));
    }
    link_.send(to, std::move(message));
  }
  [[nodiscard]] Bytes receive(RankInCell from) override {
    if (static_cast<int>(from.value) == late_) {
      words_.isend(late_, 0, Bytes(1), "about to wait").wait();
    }
    return link_.receive(from);
  }

 private:
  WorldLink link_;
  comm::Communicator& words_;
  int late_;
};

}  // namespace lipizz::parallel
