#include "worker/cell_result.hpp"

namespace lipizz::worker {

comm::CellResult cell_result(const coev::CellReport& report, std::uint64_t fingerprint,
                             const TrainingLoop::Seconds& seconds,
                             const Exchange::Traffic& traffic) {
  comm::CellResult result;
  result.cell = report.cell;
  result.score = report.score;
  result.fingerprint = fingerprint;
  result.class_shares = report.class_shares;
  for (const auto& [name, value] : report.score_details) result.details.push_back({name, value});
  for (const auto& [cell, weight] : report.mixture) result.mixture.push_back({cell, weight});
  for (const auto& [name, spent] : seconds.wall.entries()) result.wall_s.push_back({name, spent});
  for (const auto& [name, spent] : seconds.cpu.entries()) result.cpu_s.push_back({name, spent});
  result.exchange_messages = traffic.messages;
  result.exchange_bytes = traffic.bytes;
  return result;
}

}  // namespace lipizz::worker
