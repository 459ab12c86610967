#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "comm/traffic.hpp"
#include "config/experiment.hpp"
#include "master/assignments.hpp"
#include "master/best_mixture.hpp"
#include "master/divergence.hpp"
#include "master/metrics_log.hpp"
#include "master/picture_schedule.hpp"
#include "master/provenance.hpp"
#include "master/result.hpp"
#include "master/run_log.hpp"

namespace lipizz::master {

/// Gathers the results of training and the output of a run: lines of metrics, pictures, results,
/// and the final files; takes the times of it all. Used by one thread.
class Gathering {
 public:
  /// Sends a task to a worker.
  using Ask = std::function<void(Rank, const comm::Task&)>;
  /// The references must outlive it.
  Gathering(const config::Experiment& experiment, const Assignments& assignments,
            MetricsLog& metrics, RunLog& log, const Clock& clock, BestMixture best, Ask ask);

  /// A cell has evaluated a generation. Returns those that all cells have evaluated now; each is
  /// shown, and drawn where it is due. CommError as MetricsLog::add(), NumericError as
  /// Divergence::add().
  std::vector<MetricsLog::Completed> add(comm::Metrics metrics);
  /// CommError when there is no such cell, or it has told before. One of an incarnation that is
  /// over is ignored.
  void add(comm::CellResult result);
  /// The processes' own counts; of an incarnation that is over they are ignored.
  void add(Rank worker, const comm::TrafficReport& report);
  /// The first active worker has opened its data or tells what scores are, or what was asked for is
  /// drawn or written.
  void add(const comm::TaskDone& done);

  /// Everything of every cell and worker is here that training tells.
  [[nodiscard]] bool has_all() const;
  /// Asks the active workers for the final files, once. NumericError when no cell has a score.
  void ask_for_final_files();
  [[nodiscard]] bool has_final_files() const { return has_final_files_ && best_.is_settled(); }
  /// Only this worker has the mixture of the best generation, which is not written yet.
  [[nodiscard]] bool keeps_best(Rank worker) const;
  /// Asks for the mixture of the best generation where it is due; `must`: there is no later.
  void ask_for_best_mixture(bool must);
  /// The experiment's patience has run out at the end of this generation.
  [[nodiscard]] bool is_out_of_patience(Generation generation) const;

  /// The sheet of the best mixture, below the run's folder; empty where there is none.
  [[nodiscard]] const std::string& picture() const { return scoring_.file; }

  /// Cells are assigned anew: all go back, and what they have come to will be told again.
  void go_back();

  /// True once any worker has opened its data.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

  /// The generation with which the run ends, as it is assigned now.
  [[nodiscard]] Generation last_generation() const;

  /// Writes what it has gathered into `result`.
  void fill(RunResult& result) const;

 private:
  [[nodiscard]] grid::Torus torus() const;
  void tell(const MetricsLog::Completed& completed);
  [[nodiscard]] Rank keeper_of(const BestGeneration& best) const;
  void ask_for_picture(const MetricsLog::Completed& completed);

  const config::Experiment& experiment_;
  const Assignments& assignments_;
  MetricsLog& metrics_;
  RunLog& log_;
  Ask ask_;
  PictureSchedule pictures_;
  RunTimer timer_;
  Divergence divergence_;
  BestMixture best_;
  std::map<CellId, comm::CellResult> results_;
  std::map<Rank, comm::Traffic> traffic_;
  comm::TaskDone scoring_;  // the metric, the judge and the floor, as told last
  bool has_begun_ = false;
  bool has_asked_for_final_files_ = false;
  bool has_final_files_ = false;
};

}  // namespace lipizz::master
