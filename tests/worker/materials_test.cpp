#include "worker/materials.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "coev/interrupted.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"

namespace lipizz::worker {
namespace {

comm::Verdict verdict_on(std::vector<std::string> hosts) {
  comm::Verdict verdict;
  verdict.go = true;
  verdict.hosts = std::move(hosts);
  for (std::size_t rank = 1; rank < verdict.hosts.size(); ++rank) {
    verdict.rank_of_cell.push_back(static_cast<std::int32_t>(rank));
  }
  return verdict;
}

// What each worker came to: 0 fine, 1 its own error, 2 another's.
struct Outcome {
  int kind = 0;
  std::uint64_t content_hash = 0;
  std::uint64_t judge_hash = 0;
  std::vector<std::string> log;
};

// Every rank of a world opens its materials; `experiment_of` may differ from rank to rank.
std::vector<Outcome> open_on(const comm::Verdict& verdict,
                             const std::function<config::Experiment(int)>& experiment_of) {
  const auto n_ranks = static_cast<int>(verdict.hosts.size());
  const SystemClock clock;
  comm::ThreadWorld world(n_ranks);
  std::vector<Outcome> outcomes(verdict.hosts.size());
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < n_ranks; ++rank) {
    ranks.emplace_back([&, rank] {
      comm::CommManager comm(world.communicator(rank), clock);
      comm.form_groups({verdict.active(), std::nullopt});
      comm.start({[](const comm::Message&) {}, [](const comm::PublicationHeader&, const Bytes&) {},
                  [](const std::exception_ptr&) {}});
      Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
      const telemetry::Log log(
          Rank{rank}, [&](const telemetry::LogLine& line) { outcome.log.push_back(line.text); });
      if (rank > 0) {
        try {
          const Materials materials =
              open_materials(comm, verdict, experiment_of(rank), {}, {}, log);
          outcome.content_hash = materials.dataset->content_hash();
          outcome.judge_hash = materials.scorer->judge_hash();
        } catch (const Error&) {
          outcome.kind = 1;
        } catch (const coev::Interrupted&) {
          outcome.kind = 2;
        }
        comm.local_barrier("waiting for all outcomes");
      }
      comm.stop(5);
    });
  }
  ranks.clear();
  return outcomes;
}

config::Experiment on_points() {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.data.max_samples = 100;
  return experiment;
}

TEST(Materials, all_workers_of_all_hosts_get_the_same) {
  const auto outcomes =
      open_on(verdict_on({"m", "a", "b", "a", "b"}), [](int) { return on_points(); });
  const std::uint64_t expected = data::open_dataset("ring8", {})->content_hash();
  for (std::size_t rank = 1; rank < outcomes.size(); ++rank) {
    EXPECT_EQ(outcomes[rank].kind, 0) << rank;
    EXPECT_EQ(outcomes[rank].content_hash, expected) << rank;
    EXPECT_EQ(outcomes[rank].judge_hash, outcomes[1].judge_hash) << rank;
    EXPECT_TRUE(outcomes[rank].log.empty())
        << "mapped, not opened again: " << outcomes[rank].log[0];
  }
}

TEST(Materials, one_host_without_the_data_ends_all_and_only_its_opener_has_the_error) {
  for (const std::string lacking : {"a", "b"}) {
    const comm::Verdict verdict = verdict_on({"m", "a", "b", "a", "b"});
    const auto outcomes = open_on(verdict, [&](int rank) {
      config::Experiment experiment = on_points();
      if (verdict.hosts[static_cast<std::size_t>(rank)] == lacking) {
        experiment.data.dataset = "mnist";
        experiment.data.dir = "/nowhere";
      }
      return experiment;
    });
    const std::size_t opener = lacking == "a" ? 1 : 2;
    EXPECT_EQ(outcomes[opener].kind, 1);
    EXPECT_EQ(outcomes[opener + 2].kind, 2) << "the other one on that host";
    EXPECT_EQ(outcomes[opener == 1 ? 2 : 1].kind, opener == 1 ? 2 : 0)
        << "the judge comes from host a";
  }
}

TEST(Materials, a_metric_for_other_samples_is_refused) {
  const auto outcomes = open_on(verdict_on({"m", "a", "a"}), [](int) {
    config::Experiment experiment = on_points();
    experiment.score.metric = "frechet";
    return experiment;
  });
  EXPECT_EQ(outcomes[1].kind, 1);
  EXPECT_EQ(outcomes[2].kind, 2);
}

TEST(Materials, the_cache_lies_where_the_environment_says) {
  const char* given = std::getenv("XDG_CACHE_HOME");
  const std::string before = given == nullptr ? "" : given;
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(cache_dir_of_environment(), "/some/cache/lipizz");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/some/home", 1);
  EXPECT_EQ(cache_dir_of_environment(), "/some/home/.cache/lipizz");
  unsetenv("HOME");
  EXPECT_EQ(cache_dir_of_environment(), "");
  if (given != nullptr) setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace lipizz::worker
