#include "comm/comm_manager.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "comm/communication_thread.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

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

std::string_view messages_on(Scope scope) {
  constexpr std::array<std::string_view, kScopes> kTexts{"messages on WORLD", "messages on LOCAL",
                                                         "messages on GLOBAL", "messages on CELL"};
  return kTexts[static_cast<std::size_t>(scope)];
}

std::vector<Rank> all_ranks(int n_ranks) {
  std::vector<Rank> ranks;
  for (int rank = 0; rank < n_ranks; ++rank) ranks.push_back({rank});
  return ranks;
}

// Collective over WORLD.
Authenticator made_authenticator(Communicator& world) {
  AuthenticationKey key{};
  if (world.rank() == kMaster.value) key = Authenticator::draw_key();
  world.broadcast(std::span<std::byte>(key), kMaster.value, "sharing the key of this run");
  return Authenticator(key);
}

Communicator made_local(Communicator& world, const Groups& groups) {
  constexpr auto kWhat = "forming LOCAL";
  constexpr int kMember = 0;
  constexpr int kOutside = -1;
  const auto found = std::ranges::find(groups.active, Rank{world.rank()});
  const bool is_active = found != groups.active.end();
  const int place = static_cast<int>(found - groups.active.begin());
  Communicator local = world.split(is_active ? kMember : kOutside, place, kWhat);
  if (!local || !groups.torus) return local;
  return local.cartesian(static_cast<int>(groups.torus->rows),
                         static_cast<int>(groups.torus->columns), kWhat);
}

// Empty where a cell has one rank.
Communicator made_cell(Communicator& world, std::uint32_t ranks_per_cell) {
  if (ranks_per_cell == 1) return {};
  constexpr int kOutside = -1;
  const int rank = world.rank();
  const int cell = (rank - 1) / static_cast<int>(ranks_per_cell);
  return world.split(rank == kMaster.value ? kOutside : cell, rank, "forming CELL");
}

// On a torus the topology says which rank of LOCAL stands at each cell; the groups must agree.
void check_topology(const Communicator& local, const std::vector<Rank>& members,
                    const Groups& groups) {
  for (std::size_t i = 0; i < groups.active.size(); ++i) {
    auto place = static_cast<int>(i);
    if (groups.torus) {
      const auto columns = static_cast<int>(groups.torus->columns);
      place = local.rank_at(place / columns, place % columns, "looking up a cell on LOCAL");
    }
    const Rank found = members[static_cast<std::size_t>(place)];
    if (found == groups.active[i]) continue;
    throw CommError("forming LOCAL: expected rank " + std::to_string(groups.active[i].value) +
                    " at place " + std::to_string(i) + ", found rank " +
                    std::to_string(found.value));
  }
}

}  // namespace

struct CommManager::Impl {
  // One of the communicators; outside, ranks are those of WORLD.
  struct Group {
    Communicator communicator;  // empty: this process is not in it, or it is not formed
    std::vector<Rank> members;  // by rank in it
    std::size_t channel = 0;    // of the communication thread
    std::map<Rank, PublicationReader> publications_from;  // for handlers alone

    [[nodiscard]] Rank member(int rank) const { return members[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::optional<int> rank_of(Rank member) const {
      const auto found = std::ranges::find(members, member);
      if (found == members.end()) return std::nullopt;
      return static_cast<int>(found - members.begin());
    }
  };

  Impl(Communicator w, const Clock& c) : clock(c), authenticator(made_authenticator(w)) {
    group(Scope::kWorld).members = all_ranks(w.size());
    group(Scope::kWorld).communicator = std::move(w);
  }

  Group& group(Scope scope) { return groups[static_cast<std::size_t>(scope)]; }
  Communicator& world() { return group(Scope::kWorld).communicator; }

  CommunicationThread& running() {
    if (!thread) throw InternalError("the communication has not been started");
    return *thread;
  }

  // A group that reaches this rank, and its rank there.
  std::pair<Group&, int> way_to(Rank destination, Scope scope) {
    Group& found = group(scope);
    const std::string name(to_string(scope));
    if (!found.communicator) throw InternalError("this process is not in " + name);
    const auto rank = found.rank_of(destination);
    if (!rank) {
      throw InternalError("there is no rank " + std::to_string(destination.value) + " in " + name);
    }
    return {found, *rank};
  }

  [[nodiscard]] CommunicationThread::Channel channel(Scope scope) {
    Group& on = group(scope);
    const Rank self{world().rank()};
    const auto to = [scope, self, &on](int destination, int tag) {
      return Route{scope, self, on.member(destination), tag};
    };
    const auto from = [scope, self, &on](int source, int tag) {
      return Route{scope, on.member(source), self, tag};
    };
    return {.communicator = &on.communicator,
            .what = messages_on(scope),
            .is_in_step = scope == Scope::kCell,
            .protect =
                [this, to](int destination, int tag, Bytes payload) {
                  return authenticator.protect(to(destination, tag), std::move(payload));
                },
            .admit =
                [this, from](int source, int tag, std::size_t n_bytes) {
                  const Route route = from(source, tag);
                  const bool is_admitted = is_admissible(route, n_bytes);
                  if (!is_admitted) drop(route.source);
                  return is_admitted;
                },
            .deliver =
                [this, from, &on](int source, int tag, Bytes message) {
                  const Route route = from(source, tag);
                  if (is_payload(tag)) {
                    deliver_payload(on, route, std::move(message));
                  } else if (auto opened = authenticator.open(route, std::move(message))) {
                    deliver(on, route, std::move(*opened));
                  } else {
                    drop(route.source);
                  }
                }};
  }

  void deliver(Group& on, const Route& route, Bytes message) {
    if (is_of_publication(route.tag)) {
      return on.publications_from[route.source].read_head(route.source, route.tag, message);
    }
    handlers.on_message({route.source, static_cast<MessageKind>(route.tag), std::move(message)});
  }

  void deliver_payload(Group& on, const Route& route, Bytes payload) {
    PublicationReader& reader = on.publications_from[route.source];
    if (!reader.expects(route.tag)) return;
    if (!authenticator.is_code_of(reader.payload_code(), payload)) return drop(route.source);
    handlers.on_publication(reader.take_header(), std::move(payload));
  }

  void drop(Rank claimed_source) {
    std::unique_lock lock(traffic_mutex);
    const bool is_first = ++traffic.unauthenticated == 1;
    lock.unlock();
    if (is_first) handlers.on_unauthenticated(claimed_source);
  }

  void count(Scope scope, Rank destination, std::size_t n_bytes) {
    if (destination.value == world().rank()) return;
    const std::lock_guard lock(traffic_mutex);
    traffic.on(scope) += {1, n_bytes};
  }

  std::array<Group, kScopes> groups;
  const Clock& clock;
  Authenticator authenticator;  // protects and opens in turns of the communication thread
  Handlers handlers;

  mutable std::mutex traffic_mutex;
  Traffic traffic;

  std::optional<CommunicationThread> thread;  // ends before anything that it uses
};

CommManager::CommManager(Communicator world, const Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(world), clock)) {}

CommManager::~CommManager() = default;

Rank CommManager::rank() const {
  return Rank{impl_->world().rank()};
}

int CommManager::size() const {
  return impl_->world().size();
}

std::vector<Bytes> CommManager::gather_at_master(std::span<const std::byte> mine,
                                                 std::string_view what) {
  return impl_->world().gather({mine.begin(), mine.end()}, kMaster.value, what);
}

Bytes CommManager::broadcast_from_master(Bytes bytes, std::string_view what) {
  return impl_->world().broadcast(std::move(bytes), kMaster.value, what);
}

void CommManager::form_groups(const Groups& groups) {
  check_groups(groups, size());
  Impl::Group& global = impl_->group(Scope::kGlobal);
  global.communicator = impl_->world().duplicate("forming GLOBAL");
  global.members = all_ranks(size());
  Impl::Group& cell = impl_->group(Scope::kCell);
  cell.communicator = made_cell(impl_->world(), groups.ranks_per_cell);
  if (cell.communicator) {
    cell.members = cell.communicator.allgather(rank(), "looking who is in CELL");
  }
  Impl::Group& local = impl_->group(Scope::kLocal);
  local.communicator = made_local(impl_->world(), groups);
  if (!local.communicator) return;
  local.members = local.communicator.allgather(rank(), "looking who is in LOCAL");
  check_topology(local.communicator, local.members, groups);
}

void CommManager::start(Handlers handlers) {
  impl_->handlers = std::move(handlers);
  std::vector<CommunicationThread::Channel> channels;
  for (const Scope scope : {Scope::kWorld, Scope::kLocal, Scope::kGlobal, Scope::kCell}) {
    Impl::Group& group = impl_->group(scope);
    if (!group.communicator) continue;
    group.channel = channels.size();
    channels.push_back(impl_->channel(scope));
  }
  impl_->thread.emplace(std::move(channels), impl_->clock, impl_->handlers.on_failure);
  impl_->thread->start();  // apart from the line above: a handler may send at once
}

void CommManager::send(Rank destination, MessageKind kind, Bytes payload) {
  CommunicationThread& thread = impl_->running();
  if (kind == MessageKind::kPublication) throw InternalError("a publication travels by publish()");
  check_sent(kind, rank(), destination, payload.size());
  const Scope scope = scope_of(kind);
  const auto [group, rank] = impl_->way_to(destination, scope);
  if (!is_heartbeat(kind)) impl_->count(scope, destination, payload.size());
  thread.send(group.channel, rank, static_cast<int>(kind), std::move(payload));
}

void CommManager::publish(std::span<const Reader> readers,
                          const std::shared_ptr<const Bytes>& payload) {
  CommunicationThread& thread = impl_->running();
  const AuthenticationCode code = impl_->authenticator.code_of(*payload);
  for (const auto& [destination, header] : readers) {
    check_sent(MessageKind::kPublication, rank(), destination, payload->size());
    const Scope scope = scope_of_publication(header);
    const auto [group, to] = impl_->way_to(destination, scope);
    impl_->count(scope, destination, sizeof header + payload->size());
    thread.send_pair(group.channel, to, tag_of(header), encode_publication_head(header, code),
                     payload_tag_of(header), {payload, *payload});
  }
}

void CommManager::forget(Rank rank) {
  for (const Impl::Group& group : impl_->groups) {
    const auto there = group.rank_of(rank);
    if (group.communicator && there) impl_->running().forget(group.channel, *there);
  }
}

void CommManager::expect_messages(bool are_expected) {
  impl_->running().expect_messages(are_expected);
}

void CommManager::progress_until(const std::function<bool()>& is_over, double max_s) {
  impl_->running().progress_until(is_over, max_s);
}

bool CommManager::stop(double flush_timeout_s) {
  const Impl::Group& cell = impl_->group(Scope::kCell);
  for (std::size_t rank = 0; cell.communicator && rank < cell.members.size(); ++rank) {
    impl_->running().forget(cell.channel, static_cast<int>(rank));
  }
  return impl_->running().stop(flush_timeout_s);
}

void CommManager::end() noexcept {
  if (impl_->thread) impl_->thread->end();
}

Traffic CommManager::traffic() const {
  const std::lock_guard lock(impl_->traffic_mutex);
  return impl_->traffic;
}

void CommManager::abort(int exit_code) {
  if (impl_->thread) impl_->thread->abort(exit_code);
  impl_->world().abort(exit_code);
}

}  // namespace lipizz::comm
