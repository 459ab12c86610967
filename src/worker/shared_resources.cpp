#include "worker/shared_resources.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "coev/interrupted.hpp"

namespace lipizz::worker {
namespace {

using Kind = comm::SharedResource::Kind;

std::vector<Rank> members_of_this_host(const PeerGroup& circle) {
  const auto host_of = [&](Rank rank) {
    return circle.hosts[static_cast<std::size_t>(rank.value)];
  };
  std::vector<Rank> here = circle.members;
  std::erase_if(here, [&](Rank rank) { return host_of(rank) != host_of(circle.self); });
  return here;
}

Bytes wait_for(Kind kind, const PeerGroup& circle) {
  auto bytes = circle.wait(kind);
  if (!bytes) throw coev::Interrupted();
  return std::move(*bytes);
}

void hand_out(const PeerGroup& circle, const std::vector<Rank>& members,
              const comm::SharedResource& what) {
  for (const Rank member : members) {
    if (member != circle.self) circle.send(member, what);
  }
}

std::shared_ptr<const data::Dataset> open_dataset(const PeerGroup& circle,
                                                  const config::Experiment& experiment,
                                                  const data::Log& log) {
  const data::OpenOptions options{.data_dir = experiment.data.dir,
                                  .max_samples = experiment.data.max_samples};
  if (members_of_this_host(circle).front() == circle.self) {
    return data::open_dataset(experiment.data.dataset, options);
  }
  return data::open_shared_dataset(experiment.data.dataset, options,
                                   wait_for(Kind::kDataset, circle), log);
}

}  // namespace

void open_resources(std::optional<SharedResources>& resources, const PeerGroup& circle,
                    const config::Experiment& experiment, nn::Device& device,
                    const std::filesystem::path& cache_dir, const telemetry::Log& log) {
  const data::Log tell = [&log](std::string_view line) { log.info(std::string(line)); };
  const bool is_first = circle.members.front() == circle.self;
  const std::vector<Rank> here = members_of_this_host(circle);

  const auto dataset = resources ? resources->dataset : open_dataset(circle, experiment, tell);
  if (here.front() == circle.self) {
    hand_out(circle, here, {Kind::kDataset, dataset->share_handle()});
  }
  const metrics::MetricEntry& metric =
      metrics::find_metric(experiment.score.metric, dataset->kind(), dataset->n_classes());
  Bytes judge = resources  ? std::move(resources->judge)
                : is_first ? metric.prepare_judge(*dataset, cache_dir, tell)
                           : wait_for(Kind::kJudge, circle);
  if (is_first) hand_out(circle, circle.members, {Kind::kJudge, judge});
  auto scorer =
      resources ? std::move(resources->scorer) : metric.make_scorer(*dataset, judge, device);
  resources = SharedResources{dataset, std::move(judge), std::move(scorer)};
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
