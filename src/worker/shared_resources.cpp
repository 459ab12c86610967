#include "worker/shared_resources.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "coev/interrupted.hpp"
#include "metrics/classifier.hpp"
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
                                                  const data::Log& log) {
  const data::OpenOptions options{.data_dir = experiment.data.dir,
                                  .max_samples = experiment.data.max_samples};
  if (members_of_this_host(peers).front() == peers.self) {
    return data::open_dataset(experiment.data.dataset, options);
  }
  return data::open_shared_dataset(experiment.data.dataset, options,
                                   wait_for(Kind::kDataset, peers), log);
}

}  // namespace

void open_resources(std::optional<SharedResources>& resources, const PeerGroup& peers,
                    const config::Experiment& experiment, nn::Device& device,
                    const metrics::CacheFolders& cache, const telemetry::Log& log) {
  const data::Log tell = [&log](std::string_view line) { log.info(std::string(line)); };
  const metrics::Log judge_log{
      .info = tell, .warning = [&log](std::string_view line) { log.warning(std::string(line)); }};
  const bool is_first = peers.members.front() == peers.self;
  const std::vector<Rank> here = members_of_this_host(peers);

  const auto dataset = resources ? resources->dataset : open_dataset(peers, experiment, tell);
  setup::check_samples(experiment, dataset->n_train());
  if (here.front() == peers.self) {
    hand_out(peers, here, {Kind::kDataset, dataset->share_handle()});
  }
  const metrics::MetricEntry& metric =
      metrics::find_metric(experiment.score.metric, dataset->kind(), dataset->n_classes());
  Bytes judge = resources  ? std::move(resources->judge)
                : is_first ? metric.prepare_judge(*dataset, cache, judge_log)
                           : wait_for(Kind::kJudge, peers);
  if (is_first) hand_out(peers, peers.members, {Kind::kJudge, judge});
  auto scorer =
      resources ? std::move(resources->scorer) : metric.make_scorer(*dataset, judge, device);
  resources = SharedResources{dataset, std::move(judge), std::move(scorer)};
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

std::size_t SharedResources::judge_bytes(const nn::NetworkSpec& classifier) {
  return nn::parameter_layout(classifier).n_padded * sizeof(float);
}

}  // namespace lipizz::worker
