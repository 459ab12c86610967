#pragma once

#include <utility>

#include "comm/communicator.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::parallel {

/// All ranks of a communicator as those of one cell.
class WorldLink final : public RankLink {
 public:
  explicit WorldLink(comm::Communicator& world) : world_(world) {}
  ~WorldLink() override {
    for (comm::Request& send : sends_) send.wait();
  }
  [[nodiscard]] RankInCell self() const override {
    return {static_cast<std::uint32_t>(world_.rank())};
  }
  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(world_.size());
  }
  void send(RankInCell to, Bytes message) override {
    ++n_sent_;
    n_bytes_ += message.size();
    sends_.push_back(world_.isend(static_cast<int>(to.value), 0, std::move(message), "a part"));
  }
  [[nodiscard]] Bytes receive(RankInCell from) override {
    return world_.receive(static_cast<int>(from.value), 0, "a part");
  }

  [[nodiscard]] std::size_t n_sent() const { return n_sent_; }
  [[nodiscard]] std::size_t n_bytes() const { return n_bytes_; }

 private:
  comm::Communicator& world_;
  std::vector<comm::Request> sends_;
  std::size_t n_sent_ = 0, n_bytes_ = 0;
};

}  // namespace lipizz::parallel
