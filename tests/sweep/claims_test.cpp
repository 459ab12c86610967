#include "sweep/claims.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::claims_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRun = "0123456789abcdef";

ProcessIdentity elsewhere() {
  ProcessIdentity identity = this_process();
  identity.boot = "another";
  return identity;
}

class Claims : public ::testing::Test {
 protected:
  TemporaryFolder temporary_;
  fs::path folder_ = temporary_ / "claims";
  Claimer a_{folder_, this_process(), ""};
  Claimer b_{folder_, this_process(), "Slurm job 7"};
};

TEST_F(Claims, one_of_two_gets_a_run) {
  EXPECT_TRUE(a_.claim(kRun, 1));
  EXPECT_FALSE(b_.claim(kRun, 1));
  EXPECT_EQ(newest_claims(folder_).at(kRun).n, 1);
  EXPECT_FALSE(newest_claims(folder_).at(kRun).is_ended);
  EXPECT_TRUE(a_.still_has(kRun, 1));
}

TEST_F(Claims, a_claim_whose_answer_was_lost_is_had) {
  EXPECT_TRUE(a_.claim(kRun, 1));
  EXPECT_TRUE(a_.claim(kRun, 1)) << "the client of a network file system tries again by itself";
}

TEST_F(Claims, the_next_one_is_had_once_too) {
  EXPECT_TRUE(a_.claim(kRun, 1));
  EXPECT_TRUE(b_.claim(kRun, 2));
  EXPECT_FALSE(a_.claim(kRun, 2));
  EXPECT_FALSE(a_.still_has(kRun, 1));
  EXPECT_EQ(newest_claims(folder_).at(kRun).n, 2);
}

TEST_F(Claims, tell_who_has_them) {
  b_.claim(kRun, 1);
  const auto holder = holder_of(folder_, kRun, 1);
  ASSERT_TRUE(holder && holder->process);
  EXPECT_EQ(*holder->process, this_process());
  EXPECT_EQ(holder->job, "Slurm job 7");
  EXPECT_FALSE(holder_of(folder_, kRun, 2));
}

TEST_F(Claims, tell_how_they_ended) {
  a_.claim(kRun, 1);
  EXPECT_FALSE(end_of(folder_, kRun, 1));
  a_.end(kRun, 1, {.exit_code = 5, .text = "no number is left"});
  EXPECT_TRUE(newest_claims(folder_).at(kRun).is_ended);
  EXPECT_EQ(end_of(folder_, kRun, 1)->exit_code, 5);
  EXPECT_EQ(end_of(folder_, kRun, 1)->text, "no number is left");
  EXPECT_TRUE(b_.claim(kRun, 2));
  EXPECT_FALSE(newest_claims(folder_).at(kRun).is_ended);
}

TEST_F(Claims, of_a_process_of_this_host_that_is_gone_are_stale_at_once) {
  ProcessIdentity gone = this_process();
  --gone.start;
  Claimer claimer(folder_, gone, "");
  claimer.claim(kRun, 1);
  a_.beat();
  EXPECT_TRUE(is_stale(*holder_of(folder_, kRun, 1), a_.now()));
  a_.claim("another", 1);
  EXPECT_FALSE(is_stale(*holder_of(folder_, "another", 1), a_.now() + std::chrono::hours(1)))
      << "this process is there, however long it is silent";
}

TEST_F(Claims, of_another_host_are_stale_after_its_silence) {
  Claimer claimer(folder_, elsewhere(), "");
  claimer.claim(kRun, 1);
  const auto last_sign = holder_of(folder_, kRun, 1)->last_sign;
  EXPECT_FALSE(is_stale(*holder_of(folder_, kRun, 1), last_sign + std::chrono::seconds(119)));
  EXPECT_TRUE(is_stale(*holder_of(folder_, kRun, 1), last_sign + std::chrono::seconds(121)));
}

TEST_F(Claims, a_sign_of_life_reaches_all_claims_of_a_process) {
  Claimer claimer(folder_, elsewhere(), "");
  claimer.claim(kRun, 1);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(folder_ / (std::string(kRun) + ".1"), long_ago);
  const auto before = holder_of(folder_, kRun, 1)->last_sign;
  claimer.beat();
  EXPECT_GT(holder_of(folder_, kRun, 1)->last_sign, before);
  EXPECT_EQ(holder_of(folder_, kRun, 1)->last_sign, claimer.now());
}

TEST_F(Claims, outlive_who_made_them) {
  { Claimer(folder_, this_process(), "").claim(kRun, 1); }
  EXPECT_FALSE(a_.claim(kRun, 1));
  EXPECT_TRUE(holder_of(folder_, kRun, 1)->process);
}

TEST_F(Claims, damaged_files_are_no_claims_of_a_living_process) {
  write_text(folder_ / (std::string(kRun) + ".1"), "{\"host\": ");
  const auto holder = holder_of(folder_, kRun, 1);
  ASSERT_TRUE(holder);
  EXPECT_FALSE(holder->process);
  EXPECT_TRUE(is_stale(*holder, holder->last_sign + std::chrono::hours(1)));
  write_text(folder_ / (std::string(kRun) + ".1.end"), "7");
  EXPECT_FALSE(end_of(folder_, kRun, 1));
}

TEST_F(Claims, other_names_are_none) {
  for (const char* name : {"README", "a.", "a.0", "a.b", "a.1.tmp-0", ".1", "a.1x"}) {
    write_text(folder_ / name, "");
  }
  EXPECT_TRUE(newest_claims(folder_).empty());
  EXPECT_TRUE(newest_claims(temporary_ / "nothing").empty());
}

// Each process takes what it can get, in an order of its own, and leaves a list of that.
TEST(ManyClaimers, of_64_writers_at_once_none_loses_a_run_and_none_gets_one_twice) {
  constexpr int kWriters = 64;
  constexpr int kRuns = 10'000;
  const TemporaryFolder temporary;
  const fs::path folder = temporary / "claims";
  fs::create_directory(folder);
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.push_back(fork());
    if (writers.back() != 0) continue;
    close(gate[1]);
    char none = 0;
    static_cast<void>(!read(gate[0], &none, 1));  // until all are there
    int code = 0;
    try {
      Claimer claimer(folder, this_process(), "");
      std::ofstream list(temporary / ("list-" + std::to_string(w)));
      for (int i = 0; i < kRuns; ++i) {
        // Half of them meet at every run, the others come from elsewhere.
        const int run = w % 2 == 0 ? i : (i + w * kRuns / kWriters) % kRuns;
        if (claimer.claim("run" + std::to_string(run), 1)) list << run << "\n";
      }
    } catch (const std::exception&) {
      code = 1;
    }
    _exit(code);
  }
  close(gate[0]);
  close(gate[1]);
  for (const pid_t writer : writers) {
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::map<int, int> n_times;
  for (int w = 0; w < kWriters; ++w) {
    std::ifstream list(temporary / ("list-" + std::to_string(w)));
    for (int run = 0; list >> run;) ++n_times[run];
  }
  EXPECT_EQ(n_times.size(), kRuns);
  for (const auto& [run, n] : n_times) EXPECT_EQ(n, 1) << run;
  EXPECT_EQ(newest_claims(folder).size(), kRuns);
}

}  // namespace
}  // namespace lipizz::sweep::claims_test
