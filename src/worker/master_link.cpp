#include "worker/master_link.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace lipizz::worker {

using comm::MessageKind;

MasterLink::MasterLink(comm::CommManager& comm, std::filesystem::path output_dir)
    : comm_(comm),
      output_dir_(std::move(output_dir)),
      log_(comm.rank(), [this](const telemetry::LogLine& line) { write(line); }) {}

void MasterLink::report_failure(ExitCode code, const std::string& message) const {
  tell(MessageKind::kFailure, comm::Failure{static_cast<std::int32_t>(code), message});
}

void MasterLink::write(const telemetry::LogLine& line) const {
  if (!is_cut_off_) {
    comm_.send(kMaster, MessageKind::kLog, telemetry::encode(line));
    return;
  }
  try {
    const std::string name = fmt::format("run.rank{}.log", comm_.rank().value);
    telemetry::LogFile(output_dir_ / name).write(line);
  } catch (const CheckpointError&) {
    // Nobody is left to tell; the error that ends this rank says why it was cut off.
  }
}

}  // namespace lipizz::worker
