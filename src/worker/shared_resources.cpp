#include "worker/shared_resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "coev/interrupted.hpp"
#include "config/json.hpp"
#include "metrics/classifier.hpp"
#include "setup/samples.hpp"
#include "setup/validate.hpp"

namespace lipizz::worker {
namespace {

using Kind = comm::SharedResource::Kind;

std::vector<Rank> members_of_this_host(const PeerGroup& peers) {
  const auto host_of = [&](Rank rank) { return peers.hosts[static_cast<std::size_t>(rank.value)]; };
  std::vector<Rank> here = peers.members;
  std::erase_if(here, [&](Rank rank) { return host_of(rank) != host_of(peers.self); });
  return here;
}

Bytes wait_for(Kind kind, const PeerGroup& peers) {
  auto bytes = peers.wait(kind);
  if (!bytes) throw coev::Interrupted();
  return std::move(*bytes);
}

void hand_out(const PeerGroup& peers, const std::vector<Rank>& members,
              const comm::SharedResource& what) {
  for (const Rank member : members) {
    if (member != peers.self) peers.send(member, what);
  }
}

std::shared_ptr<const data::Dataset> open_dataset(const PeerGroup& peers,
                                                  const config::Experiment& experiment,
                                                  const metrics::CacheFolders& cache,
                                                  const data::Log& log) {
  data::OpenOptions options = setup::open_options(experiment);
  options.cache = cache;
  options.log = log;
  const std::string& name = experiment.data.dataset;
  const auto dataset =
      members_of_this_host(peers).front() == peers.self
          ? data::open_dataset(name, options)
          : data::open_shared_dataset(name, options, wait_for(Kind::kDataset, peers));
  setup::expect_form(experiment, *dataset);
  return dataset;
}

// Passes on what is told, and says so in the log at each quarter of the training.
metrics::Progress with_quarters(metrics::Progress progress, const data::Dataset& dataset,
                                const std::function<void(std::string_view)>& tell) {
  return [progress = std::move(progress), name = std::string(dataset.name()), tell,
          n_told = 0](double share) mutable {
    progress(share);
    const int n_quarters = static_cast<int>(4 * share);
    if (n_quarters > n_told && n_quarters < 4) {
      tell(fmt::format("the classifier that judges {}: {} % trained", name, 25 * n_quarters));
    }
    n_told = n_quarters;
  };
}

// On the first member: makes the judge, and sends it to every member, this one among them.
std::unique_ptr<JudgePreparation> prepare_judge(const metrics::MetricEntry& metric,
                                                std::shared_ptr<const data::Dataset> dataset,
                                                const metrics::CacheFolders& cache,
                                                const PeerGroup& peers, const telemetry::Log& log) {
  const auto tell = [&log](std::string_view line) { log.notice(std::string(line)); };
  const metrics::Log judge_log{
      .info = tell, .warning = [&log](std::string_view line) { log.warning(std::string(line)); }};
  const auto prepare = [=, &metric](const metrics::Progress& progress) {
    return metric.prepare_judge(*dataset, cache, judge_log,
                                with_quarters(progress, *dataset, tell));
  };
  const auto hand_out = [members = peers.members, send = peers.send](Bytes judge) {
    const comm::SharedResource resource{Kind::kJudge, std::move(judge)};
    for (const Rank member : members) send(member, resource);
  };
  return std::make_unique<JudgePreparation>(
      prepare, JudgePreparation::Outcome{.prepared = hand_out, .failed = peers.fail});
}

std::unique_ptr<metrics::DeferredScorer> deferred_scorer(
    const metrics::MetricEntry& metric, std::shared_ptr<const data::Dataset> dataset,
    nn::Device& device, std::shared_ptr<Bytes> judge, const PeerGroup& peers) {
  return std::make_unique<metrics::DeferredScorer>(
      metric.name, [=, &metric, &device, wait = peers.wait] {
        auto bytes = wait(Kind::kJudge);
        if (!bytes) throw coev::Interrupted();
        *judge = std::move(*bytes);
        return metric.make_scorer(*dataset, *judge, device);
      });
}

}  // namespace

void open_resources(std::optional<SharedResources>& resources, const PeerGroup& peers,
                    const config::Experiment& experiment, nn::Device& device,
                    const metrics::CacheFolders& cache, const telemetry::Log& log) {
  const data::Log tell{
      .info = [&log](std::string_view line) { log.info(std::string(line)); },
      .warning = [&log](std::string_view line) { log.warning(std::string(line)); }};
  const bool is_first = peers.members.front() == peers.self;
  const std::vector<Rank> here = members_of_this_host(peers);

  const auto dataset =
      resources ? resources->dataset : open_dataset(peers, experiment, cache, tell);
  setup::check_samples(experiment, dataset->n_train());
  if (here.front() == peers.self) {
    hand_out(peers, here, {Kind::kDataset, dataset->share_handle()});
  }
  if (resources && resources->scorer->is_made()) {
    if (is_first) hand_out(peers, peers.members, {Kind::kJudge, *resources->judge});
    return;
  }
  const metrics::MetricEntry& metric =
      metrics::find_metric(experiment.score.metric, data::form_of(*dataset));
  const auto judge = std::make_shared<Bytes>();
  resources.reset();  // with a preparation for other members than these
  resources = SharedResources{
      .dataset = dataset,
      .scorer = deferred_scorer(metric, dataset, device, judge, peers),
      .judge = judge,
      .preparation = is_first ? prepare_judge(metric, dataset, cache, peers, log) : nullptr};
}

metrics::CacheFolders cache_folders(const std::filesystem::path& output_dir) {
  metrics::CacheFolders cache{.lasting = {},
                              .beside_run = output_dir.parent_path() / ".lipizz-cache"};
  const auto add = [&](const char* variable, const char* below) {
    const char* const value = std::getenv(variable);
    if (value && *value) cache.lasting.emplace_back(std::string(value) + below);
  };
  add("LIPIZZ_CACHE_DIR", "");
  add("XDG_CACHE_HOME", "/lipizz");
  add("HOME", "/.cache/lipizz");
  return cache;
}

checkpoint::Lineage SharedResources::lineage(const config::Experiment& experiment,
                                             const std::string& numerics) const {
  return {.configuration = config::lineage_hash(experiment),
          .numerics = numerics,
          .dataset = dataset->content_hash(),
          .judge = scorer->judge_hash()};
}

std::size_t SharedResources::judge_bytes(const nn::NetworkSpec& classifier) {
  return nn::parameter_layout(classifier).n_padded * sizeof(float);
}

}  // namespace lipizz::worker
