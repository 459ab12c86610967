#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "core/error.hpp"
#include "telemetry/log.hpp"

namespace lipizz::worker {

/// A worker sends all that it says to its master through this. Any thread may call it.
class MasterLink {
 public:
  /// `output_dir` is the run's folder. The CommManager must outlive it.
  MasterLink(comm::CommManager& comm, std::filesystem::path output_dir);
  MasterLink(const MasterLink&) = delete;  // the log knows where it is
  MasterLink& operator=(const MasterLink&) = delete;

  template <class Payload>
  void tell(comm::MessageKind kind, const Payload& payload) const {
    comm_.send(kMaster, kind, payload.encode());
  }
  /// The master decides what follows.
  void report_failure(ExitCode code, const std::string& message) const;

  /// Its lines go to the master; once the worker is cut off, into run.rankN.log.
  [[nodiscard]] const telemetry::Log& log() const { return log_; }

  /// Nothing that is sent reaches the master any more.
  void cut_off() { is_cut_off_ = true; }

 private:
  void write(const telemetry::LogLine& line) const;

  comm::CommManager& comm_;
  std::filesystem::path output_dir_;
  std::atomic<bool> is_cut_off_ = false;
  telemetry::Log log_;
};

}  // namespace lipizz::worker
