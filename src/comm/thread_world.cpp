#include "comm/thread_world.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <string>

#include "comm/waker.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

struct Torus {
  int rows;
  int columns;
};

// The rank that ended the run, and how.
struct End {
  int world_rank;
  int exit_code;
};

// All ranks of one world share this.
class World {
 public:
  explicit World(int n_ranks) : wakers_(static_cast<std::size_t>(n_ranks)) {}

  Waker& waker(int world_rank) { return wakers_[static_cast<std::size_t>(world_rank)]; }

  // Allocates nothing: what ends the run may be that there is no memory.
  void abort(int world_rank, int exit_code) noexcept {
    {
      const std::lock_guard lock(mutex_);
      if (!is_aborted_) end_ = {world_rank, exit_code};
      is_aborted_ = true;
    }
    for (Waker& waker : wakers_) waker.wake();
  }

  void check(std::string_view what) {
    if (!is_aborted_) return;
    const std::lock_guard lock(mutex_);
    throw CommError(std::string(what) + ": rank " + std::to_string(end_.world_rank) +
                    " ended the run with exit code " + std::to_string(end_.exit_code));
  }

 private:
  std::vector<Waker> wakers_;
  std::mutex mutex_;
  std::atomic<bool> is_aborted_ = false;
  End end_ = {};  // under mutex_
};

class Group;

// One collective: every rank brings its part, and when the last has come everybody may read all.
struct Meeting {
  explicit Meeting(std::size_t n_ranks) : parts(n_ranks) {}
  std::vector<Bytes> parts;
  std::size_t n_arrived = 0;
  std::map<int, std::shared_ptr<Group>> groups;  // by color, when the meeting was a split
};

struct Envelope {
  int source;
  int tag;
  Bytes payload;
};

// The communicators of one group share its letter boxes and meetings.
class Group {
 public:
  Group(std::shared_ptr<World> world, std::vector<int> world_ranks, std::optional<Torus> torus)
      : world_(std::move(world)),
        world_ranks_(std::move(world_ranks)),
        torus_(torus),
        boxes_(world_ranks_.size()) {}

  World& world() { return *world_; }
  [[nodiscard]] std::size_t size() const { return world_ranks_.size(); }
  [[nodiscard]] int world_rank(int rank) const { return world_ranks_.at(std::size_t(rank)); }
  [[nodiscard]] std::optional<Torus> torus() const { return torus_; }

  void post(int destination, Envelope envelope) {
    {
      const std::lock_guard lock(mutex_);
      boxes_[std::size_t(destination)].push_back(std::move(envelope));
    }
    world_->waker(world_rank(destination)).wake();
  }

  std::optional<Envelope> match(int rank, int source, int tag) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[std::size_t(rank)];
    const auto found = std::ranges::find_if(box, [&](const Envelope& envelope) {
      return (source == kAny || source == envelope.source) && (tag == kAny || tag == envelope.tag);
    });
    if (found == box.end()) return std::nullopt;
    Envelope envelope = std::move(*found);
    box.erase(found);
    return envelope;
  }

  // `turn` counts the collectives of the group: the same on all ranks, since they call alike.
  std::shared_ptr<Meeting> arrive(std::uint64_t turn, int rank, Bytes part) {
    const std::lock_guard lock(mutex_);
    auto& slot = meetings_[turn];
    if (slot == nullptr) slot = std::make_shared<Meeting>(size());
    std::shared_ptr<Meeting> meeting = slot;
    meeting->parts[std::size_t(rank)] = std::move(part);
    if (++meeting->n_arrived == size()) {
      meetings_.erase(turn);
      for (const int member : world_ranks_) world_->waker(member).wake();
    }
    return meeting;
  }

  bool is_complete(const Meeting& meeting) {
    const std::lock_guard lock(mutex_);
    return meeting.n_arrived == size();
  }

  // The group of this color that came out of the meeting; whoever asks first makes it.
  std::shared_ptr<Group> child(Meeting& meeting, int color, const std::vector<int>& members,
                               std::optional<Torus> torus) {
    const std::lock_guard lock(mutex_);
    auto& group = meeting.groups[color];
    if (group == nullptr) {
      std::vector<int> world_ranks;
      for (const int member : members) world_ranks.push_back(world_rank(member));
      group = std::make_shared<Group>(world_, std::move(world_ranks), torus);
    }
    return group;
  }

 private:
  const std::shared_ptr<World> world_;
  const std::vector<int> world_ranks_;
  const std::optional<Torus> torus_;
  std::mutex mutex_;
  std::vector<std::list<Envelope>> boxes_;
  std::map<std::uint64_t, std::shared_ptr<Meeting>> meetings_;
};

class DoneRequest final : public RequestImpl {
 public:
  explicit DoneRequest(std::vector<Bytes> result = {}) : result_(std::move(result)) {}
  bool test() override { return true; }
  std::vector<Bytes> take() override { return std::move(result_); }

 private:
  std::vector<Bytes> result_;
};

class MatchedMessage final : public IncomingImpl {
 public:
  explicit MatchedMessage(Bytes payload) : payload_(std::move(payload)) {}
  std::unique_ptr<RequestImpl> receive(std::string_view) override {
    std::vector<Bytes> result;
    result.push_back(std::move(payload_));
    return std::make_unique<DoneRequest>(std::move(result));
  }

 private:
  Bytes payload_;
};

using Parts = std::vector<Bytes>;
using PickResult = std::function<Parts(const Parts&)>;

class MeetingRequest final : public RequestImpl {
 public:
  MeetingRequest(std::shared_ptr<Group> group, std::shared_ptr<Meeting> meeting, PickResult pick,
                 std::string_view what)
      : group_(std::move(group)),
        meeting_(std::move(meeting)),
        pick_(std::move(pick)),
        what_(what) {}

  bool test() override {
    group_->world().check(what_);
    return group_->is_complete(*meeting_);
  }
  Parts take() override { return pick_(meeting_->parts); }

 private:
  std::shared_ptr<Group> group_;
  std::shared_ptr<Meeting> meeting_;
  PickResult pick_;
  std::string what_;
};

void check_same_length(const Parts& parts, const std::string& what) {
  const auto differs = [&](const Bytes& part) { return part.size() != parts.front().size(); };
  const auto other = std::ranges::find_if(parts, differs);
  if (other == parts.end()) return;
  throw CommError(what + ": rank 0 passes " + std::to_string(parts.front().size()) +
                  " bytes, rank " + std::to_string(other - parts.begin()) + " " +
                  std::to_string(other->size()));
}

class ThreadComm final : public CommImpl {
 public:
  ThreadComm(std::shared_ptr<Group> group, int rank) : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_->size()); }

  Requested isend(int destination, int tag, Bytes payload, std::string_view what) override {
    group_->world().check(what);
    group_->post(destination, {rank_, tag, std::move(payload)});
    return std::make_unique<DoneRequest>();
  }

  Requested isend_shared(int destination, int tag, SharedBytes payload,
                         std::string_view what) override {
    return isend(destination, tag, copy_of(payload.bytes), what);
  }

  std::optional<Incoming> improbe(int source, int tag, std::string_view what) override {
    group_->world().check(what);
    std::optional<Envelope> found = group_->match(rank_, source, tag);
    if (!found) return std::nullopt;
    const std::size_t n_bytes = found->payload.size();
    return Incoming{found->source, found->tag, n_bytes,
                    std::make_unique<MatchedMessage>(std::move(found->payload))};
  }

  Requested ibarrier(std::string_view what) override {
    return meet(
        {}, [](const Parts&) { return Parts{}; }, what);
  }

  Requested ibroadcast(Bytes bytes, int root, std::string_view what) override {
    const auto pick = [root, what = std::string(what)](const Parts& parts) {
      check_same_length(parts, what);
      return Parts{parts[std::size_t(root)]};
    };
    return meet(std::move(bytes), pick, what);
  }

  Requested igather(Bytes mine, int root, std::string_view what) override {
    const bool is_root = rank_ == root;
    const auto pick = [is_root](const Parts& parts) { return is_root ? parts : Parts{}; };
    return meet(std::move(mine), pick, what);
  }

  Requested iallgather(Bytes mine, std::string_view what) override {
    return meet(
        std::move(mine), [](const Parts& parts) { return parts; }, what);
  }

  Made duplicate(std::string_view what) override { return make(0, rank_, group_->torus(), what); }

  Made split(int color, int key, std::string_view what) override {
    return make(color, key, std::nullopt, what);
  }

  Made cartesian(int rows, int columns, std::string_view what) override {
    return make(0, rank_, Torus{rows, columns}, what);
  }

  int rank_at(int row, int column, std::string_view what) const override {
    const std::optional<Torus> torus = group_->torus();
    if (!torus) throw CommError(std::string(what) + ": this communicator is not a torus");
    const auto wrapped = [](int place, int dimension) {
      return (place % dimension + dimension) % dimension;
    };
    return wrapped(row, torus->rows) * torus->columns + wrapped(column, torus->columns);
  }

  void wait_for_activity(double max_s) override { waker().wait(max_s); }
  void wake() override { waker().wake(); }
  void abort(int exit_code) override {
    group_->world().abort(group_->world_rank(rank_), exit_code);
    group_->world().check("ending the run");
  }

 private:
  struct Choice {
    int color;
    int key;
    int rank;
  };

  Waker& waker() { return group_->world().waker(group_->world_rank(rank_)); }

  Requested meet(Bytes mine, PickResult pick, std::string_view what) {
    group_->world().check(what);
    std::shared_ptr<Meeting> meeting = group_->arrive(turn_++, rank_, std::move(mine));
    return std::make_unique<MeetingRequest>(group_, std::move(meeting), std::move(pick), what);
  }

  Made make(int color, int key, std::optional<Torus> torus, std::string_view what) {
    ByteWriter writer;
    writer.value(Choice{color, key, rank_});
    const std::shared_ptr<Meeting> meeting = group_->arrive(turn_++, rank_, writer.take());
    const auto pick = [](const Parts& parts) { return parts; };
    std::vector<Choice> alike;
    for (const Bytes& part :
         Request(std::make_unique<MeetingRequest>(group_, meeting, pick, what)).take()) {
      const auto choice = ByteReader(part, what).value<Choice>();
      if (choice.color == color) alike.push_back(choice);
    }
    if (color < 0) return nullptr;
    std::ranges::stable_sort(alike, {}, &Choice::key);
    std::vector<int> members;
    for (const Choice& choice : alike) members.push_back(choice.rank);
    const auto place = std::ranges::find(members, rank_) - members.begin();
    return std::make_unique<ThreadComm>(group_->child(*meeting, color, members, torus),
                                        static_cast<int>(place));
  }

  const std::shared_ptr<Group> group_;
  const int rank_;
  std::uint64_t turn_ = 0;
};

std::vector<int> first_ranks(int n_ranks) {
  std::vector<int> ranks(static_cast<std::size_t>(n_ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

struct ThreadWorld::Impl {
  std::shared_ptr<Group> group;
};

ThreadWorld::ThreadWorld(int n_ranks) {
  if (n_ranks < 1) {
    throw CommError("a world of threads needs at least 1 rank, found " + std::to_string(n_ranks));
  }
  auto world = std::make_shared<World>(n_ranks);
  impl_ = std::make_shared<Impl>(
      Impl{std::make_shared<Group>(std::move(world), first_ranks(n_ranks), std::nullopt)});
}

Communicator ThreadWorld::communicator(int rank) {
  return Communicator(std::make_unique<ThreadComm>(impl_->group, rank));
}

void ThreadWorld::abort(int rank, int exit_code) noexcept {
  impl_->group->world().abort(rank, exit_code);
}

Communicator self_communicator() {
  return ThreadWorld(1).communicator(0);
}

}  // namespace lipizz::comm
