#include "comm/comm_manager.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "comm/communication_thread.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr std::size_t kWorldChannel = 0;
constexpr std::size_t kExchangeChannel = 1;

void check_groups(const Groups& groups, int world_size) {
  std::vector<Rank> sorted = groups.active;
  std::ranges::sort(sorted);
  const bool is_each_once = std::ranges::adjacent_find(sorted) == sorted.end();
  if (sorted.empty() || !is_each_once || sorted.front() <= kMaster ||
      sorted.back().value >= world_size) {
    throw CommError("forming the groups: expected distinct active workers among ranks 1 to " +
                    std::to_string(world_size - 1));
  }
  if (!groups.torus) return;
  const auto [rows, columns] = *groups.torus;
  if (std::uint64_t{rows} * columns != sorted.size()) {
    throw CommError("forming the groups: a torus of " + std::to_string(rows) + "x" +
                    std::to_string(columns) + " cells cannot be made of " +
                    std::to_string(sorted.size()) + " active workers");
  }
}

bool is_heartbeat(MessageKind kind) {
  return kind == MessageKind::kPing || kind == MessageKind::kStatus;
}

}  // namespace

struct CommManager::Impl {
  Impl(Communicator w, const Clock& c) : world(std::move(w)), clock(c) {}

  [[nodiscard]] const Communicator& active_local() const {
    if (!local) throw InternalError("LOCAL is for active workers only");
    return local;
  }

  CommunicationThread& running() {
    if (!thread) throw InternalError("the communication has not been started");
    return *thread;
  }

  [[nodiscard]] CommunicationThread::Channel world_channel() {
    return {
        &world, "control messages on WORLD",
        [](int source, int tag, std::size_t n_bytes) {
          static_cast<void>(check_control(Rank{source}, tag, n_bytes));
        },
        [this](int source, int tag, Bytes payload) {
          handlers.on_message({Rank{source}, static_cast<MessageKind>(tag), std::move(payload)});
        }};
  }

  [[nodiscard]] CommunicationThread::Channel exchange_channel() {
    return {&exchange, "publications on GLOBAL",
            [this](int source, int tag, std::size_t n_bytes) {
              check_publication(Rank{source}, tag, n_bytes);
            },
            [this](int source, int tag, Bytes message) {
              const Rank rank{source};
              if (auto read = publications_from[rank].read(rank, tag, std::move(message))) {
                handlers.on_publication(read->first, std::move(read->second));
              }
            }};
  }

  void count(Traffic::Count Traffic::*purpose, Rank destination, std::size_t n_bytes) {
    if (destination.value == world.rank()) return;
    const std::lock_guard lock(traffic_mutex);
    (traffic.*purpose).messages += 1;
    (traffic.*purpose).bytes += n_bytes;
  }

  Communicator world;
  Communicator global;
  Communicator exchange;  // the duplicate of GLOBAL
  Communicator local;
  const Clock& clock;
  Handlers handlers;
  std::map<Rank, PublicationReader> publications_from;  // communication thread only

  mutable std::mutex traffic_mutex;
  Traffic traffic;

  std::optional<CommunicationThread> thread;  // ends before anything that it uses
};

CommManager::CommManager(Communicator world, const Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(world), clock)) {}

CommManager::~CommManager() = default;

Rank CommManager::rank() const {
  return Rank{impl_->world.rank()};
}

int CommManager::size() const {
  return impl_->world.size();
}

std::vector<Bytes> CommManager::gather_at_master(std::span<const std::byte> mine,
                                                 std::string_view what) {
  return impl_->world.gather({mine.begin(), mine.end()}, kMaster.value, what);
}

Bytes CommManager::broadcast_from_master(Bytes bytes, std::string_view what) {
  return impl_->world.broadcast(std::move(bytes), kMaster.value, what);
}

void CommManager::form_groups(const Groups& groups) {
  constexpr int kMember = 0;
  constexpr int kOutside = -1;
  check_groups(groups, size());
  const auto found = std::ranges::find(groups.active, rank());
  const bool is_active = found != groups.active.end();
  const int local_place = static_cast<int>(found - groups.active.begin());

  Impl& impl = *impl_;
  impl.global = impl.world.duplicate("forming GLOBAL");
  impl.exchange = impl.global.duplicate("forming the exchange");
  impl.local = impl.world.split(is_active ? kMember : kOutside, local_place, "forming LOCAL");
  if (impl.local && groups.torus) {
    impl.local = impl.local.cartesian(static_cast<int>(groups.torus->rows),
                                      static_cast<int>(groups.torus->columns), "forming LOCAL");
  }
}

void CommManager::start(Handlers handlers) {
  impl_->handlers = std::move(handlers);
  std::vector<CommunicationThread::Channel> channels{impl_->world_channel()};
  if (impl_->exchange) channels.push_back(impl_->exchange_channel());
  impl_->thread.emplace(std::move(channels), impl_->clock, impl_->handlers.on_failure);
  impl_->thread->start();  // apart from the line above: a handler may send at once
}

void CommManager::send(Rank destination, MessageKind kind, Bytes payload) {
  CommunicationThread& thread = impl_->running();
  check_payload(kind, payload.size());
  if (kind == MessageKind::kGenome) throw InternalError("a genome travels by publish()");
  if (destination.value < 0 || destination.value >= size()) {
    throw InternalError("there is no rank " + std::to_string(destination.value));
  }
  impl_->count(is_heartbeat(kind) ? &Traffic::heartbeat : &Traffic::control, destination,
               payload.size());
  thread.send(kWorldChannel, destination.value, static_cast<int>(kind), std::move(payload));
}

void CommManager::publish(Rank destination, const PublicationHeader& header,
                          const std::shared_ptr<const Bytes>& payload) {
  CommunicationThread& thread = impl_->running();
  if (!impl_->exchange) throw InternalError("a publication needs GLOBAL, which is not formed");
  Bytes head = encode_publication_header(header, payload->size());
  impl_->count(&Traffic::exchange, destination, head.size() + payload->size());
  thread.send_pair(kExchangeChannel, destination.value, tag_of(header), std::move(head),
                   payload_tag_of(header), {payload, *payload});
}

void CommManager::forget(Rank rank) {
  impl_->running().forget(kWorldChannel, rank.value);
  if (impl_->exchange) impl_->running().forget(kExchangeChannel, rank.value);
}

int CommManager::local_rank() const {
  return impl_->active_local().rank();
}

int CommManager::local_size() const {
  return impl_->active_local().size();
}

TorusNeighbours CommManager::local_neighbours() const {
  return impl_->active_local().neighbours("asking for the neighbours on LOCAL");
}

void CommManager::local_barrier(std::string_view what) {
  static_cast<void>(impl_->active_local());
  impl_->running().complete([&] { return impl_->local.ibarrier(what); }, what);
}

void CommManager::local_broadcast(std::span<std::byte> bytes, int root, std::string_view what) {
  static_cast<void>(impl_->active_local());
  const auto begin = [&] {
    return impl_->local.ibroadcast({bytes.begin(), bytes.end()}, root, what);
  };
  std::ranges::copy(impl_->running().complete(begin, what).front(), bytes.begin());
}

void CommManager::stop(double flush_timeout_s) {
  impl_->running().stop(flush_timeout_s);
}

Traffic CommManager::traffic() const {
  const std::lock_guard lock(impl_->traffic_mutex);
  return impl_->traffic;
}

void CommManager::abort(int exit_code) {
  if (impl_->thread) impl_->thread->abort(exit_code);
  impl_->world.abort(exit_code);
}

}  // namespace lipizz::comm
