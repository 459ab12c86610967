#include "worker/shared_resources.hpp"

#include <gmock/gmock.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "coev/interrupted.hpp"
#include "core/error.hpp"
#include "nn/exec/host_device.hpp"

namespace lipizz::worker::shared_resources_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// How a worker ended.
enum class End { kFine, kError, kInterrupted };

// Workers that open their resources one after another. A worker that has to wait for something not
// yet sent is told that it has something else to do.
class SharedResourcesTest : public ::testing::Test {
 protected:
  void SetUp() override { experiment_.fill(on_points()); }

  static config::Experiment on_points() {
    config::Experiment experiment;
    experiment.data.dataset = "ring8";
    experiment.data.max_samples = 100;
    return experiment;
  }
  static config::Experiment without_data() {
    config::Experiment experiment = on_points();
    experiment.data.dataset = "mnist";
    experiment.data.dir = "/nowhere";
    return experiment;
  }

  // Returns the ends in the order of the ranks.
  std::vector<End> open(const std::vector<int>& ranks) {
    std::vector<Rank> members;
    for (const int rank : ranks) members.push_back({rank});
    std::vector<End> ends;
    for (const Rank self : members) ends.push_back(open_one(self, members));
    return ends;
  }

  End open_one(Rank self, const std::vector<Rank>& members) {
    const std::size_t rank = place(self);
    const telemetry::Log log(self,
                             [&](const telemetry::LogLine& line) { log_.push_back(line.text); });
    const PeerGroup peers{
        self,
        members,
        hosts_,
        [this](Rank to, const comm::SharedResource& resource) {
          const std::scoped_lock lock(mutex_);
          ++n_sent_;
          inbox_[place(to)].insert_or_assign(resource.kind, resource.bytes);
          arrived_.notify_all();
        },
        [this, rank](comm::SharedResource::Kind kind) { return wait(rank, kind); },
        [this](const std::exception_ptr&) { ++n_failed_; }};
    try {
      open_resources(resources_[rank], peers, experiment_[rank], device_, {}, log);
      return End::kFine;
    } catch (const Error&) {
      return End::kError;
    } catch (const coev::Interrupted&) {
      return End::kInterrupted;
    }
  }

  // The judge is on its way; the dataset is there or does not come.
  std::optional<Bytes> wait(std::size_t rank, comm::SharedResource::Kind kind) {
    std::unique_lock lock(mutex_);
    ++n_waits_;
    if (kind == comm::SharedResource::Kind::kJudge) {
      arrived_.wait(lock, [&] { return inbox_[rank].contains(kind); });
    }
    const auto found = inbox_[rank].find(kind);
    if (found == inbox_[rank].end()) return std::nullopt;
    return found->second;
  }

  // All forget what they have.
  void begin_again() {
    resources_ = {};
    forget_messages();
  }
  void forget_messages() {
    const std::scoped_lock lock(mutex_);
    inbox_ = {};
  }

  static std::size_t place(Rank rank) { return static_cast<std::size_t>(rank.value); }

  void expect_the_same_on(const std::vector<int>& ranks) {
    const std::uint64_t expected = data::open_dataset("ring8", {})->content_hash();
    const SharedResources& first = *resources_[static_cast<std::size_t>(ranks.front())];
    for (const int rank : ranks) {
      const auto& here = resources_[static_cast<std::size_t>(rank)];
      ASSERT_TRUE(here) << rank;
      EXPECT_EQ(here->dataset->content_hash(), expected) << rank;
      EXPECT_EQ(here->scorer->judge_hash(), first.scorer->judge_hash()) << rank;
      EXPECT_EQ(*here->judge, *first.judge) << rank;
    }
  }

  const std::vector<std::string> hosts_{"m", "a", "b", "a", "b"};
  std::array<config::Experiment, 5> experiment_;
  nn::HostDevice device_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::array<std::map<comm::SharedResource::Kind, Bytes>, 5> inbox_;
  int n_sent_ = 0;
  int n_waits_ = 0;
  int n_failed_ = 0;
  std::vector<std::string> log_;
  std::array<std::optional<SharedResources>, 5> resources_;
};

TEST_F(SharedResourcesTest, all_workers_of_all_hosts_get_the_same) {
  EXPECT_THAT(open({1, 2, 3, 4}), Each(End::kFine));
  expect_the_same_on({1, 2, 3, 4});
  EXPECT_THAT(log_, IsEmpty()) << "mapped, not opened again";
  EXPECT_EQ(n_sent_, 2 + 4) << "a dataset to one on each host, the judge to all";
  EXPECT_EQ(n_failed_, 0);
}

TEST_F(SharedResourcesTest, nobody_waits_for_the_judge_before_it_is_needed) {
  EXPECT_THAT(open({1, 2}), Each(End::kFine));
  EXPECT_FALSE(resources_[1]->scorer->is_made());
  EXPECT_FALSE(resources_[2]->scorer->is_made());
  EXPECT_EQ(n_waits_, 0) << "each has opened the data of its own host";
}

TEST_F(SharedResourcesTest, one_host_without_the_data_ends_all_and_only_its_opener_has_the_error) {
  experiment_[1] = experiment_[3] = without_data();
  EXPECT_THAT(open({1, 2, 3, 4}),
              ElementsAre(End::kError, End::kFine, End::kInterrupted, End::kFine))
      << "the judge would come from host a";
  begin_again();
  experiment_[1] = experiment_[3] = on_points();
  experiment_[2] = experiment_[4] = without_data();
  EXPECT_THAT(open({1, 2, 3, 4}),
              ElementsAre(End::kFine, End::kError, End::kFine, End::kInterrupted));
}

TEST_F(SharedResourcesTest, a_metric_for_other_samples_is_refused) {
  for (config::Experiment& experiment : experiment_) experiment.score.metric = "frechet";
  EXPECT_THAT(open({1, 2, 3, 4}), Each(End::kError));
}

// The resources of the first assignment serve every later one.
TEST_F(SharedResourcesTest, those_who_have_theirs_keep_them_and_wait_for_nobody) {
  open({1, 2, 3, 4});
  expect_the_same_on({1, 2, 3, 4});
  std::vector<const void*> before;
  for (std::size_t rank = 2; rank <= 4; ++rank) {
    before.push_back(resources_[rank]->dataset.get());
    before.push_back(resources_[rank]->scorer.get());
  }
  n_waits_ = 0;
  forget_messages();
  EXPECT_THAT(open({2, 3, 4}), Each(End::kFine));
  EXPECT_EQ(n_waits_, 0);
  for (std::size_t rank = 2; rank <= 4; ++rank) {
    EXPECT_EQ(resources_[rank]->dataset.get(), before[2 * rank - 4]);
    EXPECT_EQ(resources_[rank]->scorer.get(), before[2 * rank - 3]);
  }
  expect_the_same_on({2, 3, 4});
}

TEST_F(SharedResourcesTest, who_has_them_hands_them_on_in_the_place_of_one_that_is_lost) {
  open({1, 2, 3, 4});
  expect_the_same_on({1, 2, 3, 4});
  resources_[4].reset();
  forget_messages();
  EXPECT_THAT(open({2, 3, 4}), Each(End::kFine));
  expect_the_same_on({2, 3, 4});
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(SharedResourcesTest, a_judge_that_its_maker_took_along_is_made_again) {
  open({1, 2, 3, 4});
  resources_[1].reset();
  forget_messages();
  EXPECT_THAT(open({2, 3, 4}), Each(End::kFine));
  expect_the_same_on({2, 3, 4});
}

TEST_F(SharedResourcesTest, who_waited_for_one_that_is_lost_opens_them_in_its_place) {
  EXPECT_EQ(open_one({3}, {{1}, {2}, {3}, {4}}), End::kInterrupted) << "rank 1 sends nothing";
  EXPECT_FALSE(resources_[3]);
  EXPECT_THAT(open({2, 3, 4}), Each(End::kFine));
  expect_the_same_on({2, 3, 4});
}

TEST_F(SharedResourcesTest, a_handle_that_its_process_took_along_is_no_error) {
  open({1});
  const Bytes handle = resources_[1]->dataset->share_handle();
  begin_again();
  inbox_[3].insert_or_assign(comm::SharedResource::Kind::kDataset, handle);
  inbox_[3].insert_or_assign(comm::SharedResource::Kind::kJudge, Bytes());
  EXPECT_EQ(open_one({3}, {{1}, {3}}), End::kFine);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("opening a copy")));
}

// The environment's variables for the length of a test.
class Variables {
 public:
  explicit Variables(const std::map<std::string, std::string>& wanted) {
    for (const char* name : {"LIPIZZ_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
      const char* const before = std::getenv(name);
      if (before != nullptr) before_[name] = before;
      const auto found = wanted.find(name);
      set(name, found == wanted.end() ? nullptr : found->second.c_str());
    }
  }
  ~Variables() {
    for (const char* name : {"LIPIZZ_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
      set(name, before_.contains(name) ? before_[name].c_str() : nullptr);
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static void set(const char* name, const char* value) {
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  }
  std::map<std::string, std::string> before_;
};

TEST(SharedResources, the_cache_lies_where_the_environment_says_and_else_beside_the_run) {
  {
    const Variables all(
        {{"LIPIZZ_CACHE_DIR", "/own"}, {"XDG_CACHE_HOME", "/cache"}, {"HOME", "/a"}});
    EXPECT_THAT(cache_folders("/runs/a").lasting,
                ElementsAre("/own", "/cache/lipizz", "/a/.cache/lipizz"));
  }
  const Variables none(std::map<std::string, std::string>{{"HOME", ""}});
  EXPECT_THAT(cache_folders("/runs/a").lasting, ElementsAre());
  EXPECT_EQ(cache_folders("/runs/a").beside_run, "/runs/.lipizz-cache");
}

}  // namespace
}  // namespace lipizz::worker::shared_resources_test
