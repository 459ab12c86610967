#include "worker/message_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "core/diagnosis.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;

constexpr double kLeaseFactor = 2;  // a master is given up later than a worker

void check(const comm::Assignment& assignment, const comm::RunPlan& run_plan) {
  const auto n_ranks = static_cast<std::int32_t>(run_plan.hosts.size());
  const auto is_worker = [&](std::int32_t rank) { return rank > kMaster.value && rank < n_ranks; };
  const auto& hosts = assignment.rank_of_cell;
  if (hosts.size() == run_plan.rank_of_cell.size() && std::ranges::all_of(hosts, is_worker)) return;
  throw CommError("an assignment of other cells or ranks than this run's arrived");
}

}  // namespace

MessageHandler::MessageHandler(WorkerParts& parts,
                               std::function<void(std::int32_t)> when_left_early)
    : parts_(parts),
      when_left_early_(std::move(when_left_early)),
      lease_(kLeaseFactor * parts.experiment().comm.dead_after_s, parts.clock,
             [this](double silent_s) { leave(silent_s); }) {}

comm::CommManager::Handlers MessageHandler::handlers() {
  return {
      .on_message = [this](comm::Message message) { handle(std::move(message)); },
      .on_publication =
          [this](const comm::PublicationHeader& header, Bytes publication) {
            parts_.exchange.deliver(header, std::move(publication));
          },
      .on_unauthenticated =
          [this](Rank source) { parts_.master.log().warning(comm::unauthenticated_text(source)); },
      .on_failure = [this](const std::exception_ptr& failure) { lose_contact(failure); }};
}

void MessageHandler::handle(comm::Message message) {
  Mailbox& mailbox = parts_.mailbox;
  switch (message.kind) {
    case MessageKind::kPing:
      lease_.renew();
      return parts_.master.tell(MessageKind::kStatus, status());
    case MessageKind::kAssign:
      return take(comm::Assignment::decode(message.payload));
    case MessageKind::kTask:
      return mailbox.post(comm::Task::decode(message.payload));
    case MessageKind::kCellSamples:
      return mailbox.post(comm::CellSamples::decode(message.payload));
    case MessageKind::kSharedResource:
      return mailbox.post(comm::SharedResource::decode(message.payload));
    case MessageKind::kCopy:
      return keep(comm::CellCopy::decode(std::move(message.payload)));
    case MessageKind::kStable:
      return drop_before(comm::Stable::decode(message.payload).generation);
    case MessageKind::kDirective:
      return follow(comm::Directive::decode(message.payload));
    case MessageKind::kLost:
      return lose({comm::Lost::decode(message.payload).rank});
    case MessageKind::kCellPart:
      return parts_.context.cell().deliver(message.source, std::move(message.payload));
    case MessageKind::kStop:
      return stop(comm::Stop::decode(message.payload));
    default:
      throw CommError("a worker got a message of kind " + std::string(name_of(message.kind)));
  }
}

comm::Status MessageHandler::status() const {
  comm::Status status = parts_.status.status();
  const auto [rank, collective] = parts_.context.cell().waits_for();
  status.waits_for = rank.value;
  status.collective = collective;
  return status;
}

void MessageHandler::take(comm::Assignment assignment) {
  check(assignment, parts_.run_plan);
  for (const std::int32_t rank : assignment.lost) parts_.comm.forget({rank});
  // Whoever hands a cell on has its state until it has arrived.
  std::vector<CellId> own = comm::cells_of(assignment.rank_of_cell, parts_.comm.rank());
  for (const CellId cell : comm::cells_of(assignment.source_of_cell, parts_.comm.rank())) {
    own.push_back(cell);
  }
  parts_.copies.begin(assignment.incarnation, assignment.start, std::move(own));
  hand_over_copies(assignment);
  const std::uint32_t incarnation = assignment.incarnation;
  parts_.mailbox.assign(std::move(assignment));
  parts_.exchange.interrupt(incarnation);
  parts_.context.cell().interrupt(incarnation);
  parts_.copies.reconsider();
}

// The copies that the master found here go to the workers that begin with them.
void MessageHandler::hand_over_copies(const comm::Assignment& assignment) {
  const Rank self = parts_.comm.rank();
  for (std::uint32_t cell = 0; cell < assignment.rank_of_cell.size(); ++cell) {
    const Rank host{assignment.rank_of_cell[cell]};
    if (assignment.source_of_cell[cell] != self.value || host == self) continue;
    const auto snapshot = parts_.copies.find({cell}, assignment.start);
    if (!snapshot) {
      throw InternalError(fmt::format("rank {} has no copy of cell {} at generation {}", self.value,
                                      cell, assignment.start));
    }
    const comm::CellCopy copy{{assignment.incarnation, {cell}, assignment.start},
                              snapshot->bytes()};
    parts_.comm.send(host, MessageKind::kCopy, copy.encode());
  }
}

void MessageHandler::keep(comm::CellCopy copy) {
  const auto& [incarnation, cell, generation] = copy.about;
  const bool is_kept = parts_.copies.keep(
      incarnation, {cell, generation, std::make_shared<const CellSnapshot>(std::move(copy.state))});
  if (is_kept) parts_.master.tell(MessageKind::kHeld, copy.about);
}

void MessageHandler::lose(Rank rank) {
  parts_.comm.forget(rank);
  parts_.mailbox.lose(rank);
}

void MessageHandler::drop_before(Generation generation) {
  parts_.copies.drop_before(generation);
  parts_.saver.forget_before(generation);
  parts_.mailbox.settle(generation);
}

void MessageHandler::follow(const comm::Directive& directive) {
  parts_.mailbox.set(directive);
  if (directive.course == comm::Directive::Course::kLeave) flush();
}

void MessageHandler::flush() {
  // Files in a folder that is gone have to be written again.
  if (!parts_.folder.loss().empty()) parts_.saver.forget_from(0);
  CellCopies::Own own = parts_.copies.own();
  parts_.saver.flush(std::move(own.cells), own.incarnation, [this, incarnation = own.incarnation] {
    parts_.master.tell(MessageKind::kFlushed, comm::Flushed{incarnation});
  });
}

void MessageHandler::stop(const comm::Stop& stop) {
  lease_.release();
  parts_.mailbox.stop(stop);
  parts_.exchange.interrupt();
  parts_.context.cell().interrupt();
  parts_.copies.reconsider();
  if (stop.exit_code == static_cast<std::int32_t>(ExitCode::kResumable)) {
    when_left_early_(stop.exit_code);
  }
}

// Called on the lease's thread. Saves what is held, unless that takes too long; then nothing is
// left to wait for.
void MessageHandler::leave(double silent_s) {
  parts_.master.cut_off();
  const auto is_saved = std::make_shared<std::promise<void>>();
  CellCopies::Own own = parts_.copies.own();
  parts_.saver.flush(std::move(own.cells), own.incarnation, [is_saved] { is_saved->set_value(); });
  is_saved->get_future().wait_for(
      std::chrono::duration<double>(parts_.experiment().comm.dead_after_s));
  lose_contact(std::make_exception_ptr(
      CommError(fmt::format("no word from the master for {:.0f} s", silent_s))));
}

void MessageHandler::lose_contact(const std::exception_ptr& failure) {
  parts_.master.cut_off();
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    const Diagnosis diagnosis = diagnosis_of(error);
    parts_.mailbox.fail(std::make_exception_ptr(comm::PeerLost(
        fmt::format("rank {}: {}", parts_.comm.rank().value, diagnosis.message), diagnosis.code)));
  }
  parts_.exchange.interrupt();
  parts_.context.cell().interrupt();
  parts_.copies.reconsider();
}

}  // namespace lipizz::worker
