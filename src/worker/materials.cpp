#include "worker/materials.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coev/island.hpp"

namespace lipizz::worker {
namespace {

constexpr std::uint64_t kNothing = ~std::uint64_t{0};

// Root's bytes at everybody; nothing when root has nothing.
std::optional<Bytes> broadcast(comm::CommManager& comm, int root, std::optional<Bytes> mine,
                               std::string_view what) {
  std::uint64_t n_bytes = mine ? mine->size() : kNothing;
  comm.local_broadcast(std::as_writable_bytes(std::span(&n_bytes, 1)), root, what);
  if (n_bytes == kNothing) return std::nullopt;
  Bytes bytes = mine ? std::move(*mine) : Bytes();
  bytes.resize(n_bytes);
  if (n_bytes > 0) comm.local_broadcast(bytes, root, what);
  return bytes;
}

// The steps of one worker; after its first error it goes on only with what the others wait for.
class Opening {
 public:
  Opening(comm::CommManager& comm, const comm::Verdict& verdict,
          const config::Experiment& experiment, const telemetry::Log& log)
      : comm_(comm),
        verdict_(verdict),
        active_(verdict.active()),
        name_(experiment.data.dataset),
        options_{.data_dir = experiment.data.dir, .max_samples = experiment.data.max_samples},
        log_([&log](std::string_view line) { log.info(std::string(line)); }) {}

  void open_dataset() {
    const auto openers = first_on_each_host();
    const std::string& here = host_of(comm_.local_rank());
    if (openers.at(here) == comm_.local_rank()) {
      attempt([&] { dataset_ = data::open_dataset(name_, options_); });
    }
    for (const auto& [host, opener] : openers) {
      std::optional<Bytes> handle;
      if (comm_.local_rank() == opener && dataset_) handle = dataset_->share_handle();
      handle = broadcast(comm_, opener, std::move(handle), "sharing the dataset of a host");
      if (host != here || dataset_ || !handle) continue;
      attempt([&] { dataset_ = data::open_shared_dataset(name_, options_, *handle, log_); });
    }
  }

  std::optional<Bytes> prepare_judge(const std::string& metric,
                                     const std::filesystem::path& cache_dir) {
    std::optional<Bytes> judge;
    if (comm_.local_rank() == 0 && dataset_) {
      attempt([&] {
        judge = metrics::find_metric(metric, dataset_->kind())
                    .prepare_judge(*dataset_, cache_dir, log_);
      });
    }
    return broadcast(comm_, 0, std::move(judge), "handing out the judge");
  }

  std::shared_ptr<const data::Dataset> dataset_or_throw() const {
    if (error_) std::rethrow_exception(error_);
    if (!dataset_) throw coev::Interrupted();
    return dataset_;
  }

 private:
  template <class Step>
  void attempt(Step step) {
    try {
      step();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }

  [[nodiscard]] const std::string& host_of(int local_rank) const {
    return verdict_.hosts[static_cast<std::size_t>(active_[local_rank].value)];
  }

  [[nodiscard]] std::map<std::string, int> first_on_each_host() const {
    std::map<std::string, int> first;
    for (int local = 0; local < comm_.local_size(); ++local) first.emplace(host_of(local), local);
    return first;
  }

  comm::CommManager& comm_;
  const comm::Verdict& verdict_;
  std::vector<Rank> active_;
  std::string name_;
  data::OpenOptions options_;
  data::Log log_;
  std::shared_ptr<const data::Dataset> dataset_;
  std::exception_ptr error_;
};

}  // namespace

Materials open_materials(comm::CommManager& comm, const comm::Verdict& verdict,
                         const config::Experiment& experiment, const nn::Engine& engine,
                         const std::filesystem::path& cache_dir, const telemetry::Log& log) {
  Opening opening(comm, verdict, experiment, log);
  opening.open_dataset();
  const auto judge = opening.prepare_judge(experiment.score.metric, cache_dir);
  Materials materials{opening.dataset_or_throw(), nullptr};
  if (!judge) throw coev::Interrupted();
  materials.scorer = metrics::find_metric(experiment.score.metric, materials.dataset->kind())
                         .make_scorer(*materials.dataset, *judge, engine);
  return materials;
}

std::filesystem::path cache_dir_of_environment() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    return std::filesystem::path(cache) / "lipizz";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return std::filesystem::path(home) / ".cache" / "lipizz";
  }
  return {};
}

}  // namespace lipizz::worker
