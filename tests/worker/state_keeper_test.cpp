#include "worker/state_keeper.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <thread>

#include "checkpoint/support.hpp"
#include "coev/interrupted.hpp"
#include "core/error.hpp"
#include "fake_island.hpp"
#include "nn/exec/host_device.hpp"
#include "toy_scorer.hpp"

namespace lipizz::worker {
namespace {

using checkpoint::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr std::int32_t kNobody = comm::Assignment::kNobody;

// Both cells of a 1x2 grid go on from the end of `start`: from copies, or from files and the seed.
comm::Assignment from_copies(std::uint32_t incarnation, Generation start) {
  return {incarnation, start, {1, 1}, {1, 1}, {}};
}
comm::Assignment from_files(std::uint32_t incarnation, Generation start) {
  return {incarnation, start, {1, 1}, {kNobody, kNobody}, {}};
}

struct Sent {
  int to;
  std::uint32_t cell;
  Generation generation;
  bool operator==(const Sent&) const = default;
};

// A worker with both cells, its buddies being ranks 2 and 3.
struct Fixture {
  explicit Fixture(fs::path output_dir, std::vector<Rank> buddies = {Rank{2}, Rank{3}}) {
    StateKeeper::Surroundings around;
    around.output_dir = std::move(output_dir);
    around.lineage = {.configuration = 0xabcU, .numerics = "baseline", .dataset = 7, .judge = 5};
    around.buddies = std::move(buddies);
    around.send = [this](Rank to, const comm::CellCopy& copy) {
      sent.push_back({to.value, copy.about.cell.value, copy.about.generation});
      messages.push_back(copy);
    };
    around.tell = [this](const comm::Saved& told) {
      EXPECT_EQ(told.error, "");
      saved.push_back({0, told.cell.value, told.generation});
    };
    around.gives_up = [this] { return gives_up(); };
    keeper.emplace(island, settings, 2, copies, std::move(around));
  }

  void train_to(Generation last) {
    for (Generation generation = island.state({0}).generation + 1; generation <= last;
         ++generation) {
      const Bytes first = island.publication({0});
      const Bytes second = island.publication({1});
      island.receive({0}, {1}, second);
      island.receive({1}, {0}, first);
      island.evolve(
          generation, [](CellId) {}, [] { return true; });
    }
  }

  // Waits for the files.
  void end() { keeper.reset(); }

  std::pair<std::uint64_t, std::uint64_t> fingerprints() const {
    return {island.fingerprint({0}), island.fingerprint({1})};
  }

  // As if they had come from another worker.
  void take_over(const std::vector<comm::CellCopy>& sent_by_another) {
    for (const comm::CellCopy& copy : sent_by_another) {
      copies.keep(copy.about.incarnation, {copy.about.cell, copy.about.generation,
                                           std::make_shared<const Bytes>(copy.state)});
    }
  }

  std::string complaint(const comm::Assignment& assignment) {
    try {
      keeper->resume(assignment);
      return "";
    } catch (const CheckpointError& error) {
      return error.what();
    }
  }

  coev::Settings settings = coev::fake::small_settings(1);
  std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  ToyScorer scorer;
  nn::HostDevice device;
  coev::Island island{settings, {1, 2}, {{0}, {1}}, *dataset, scorer, device};
  CellCopies copies;
  std::vector<Sent> sent;
  std::vector<comm::CellCopy> messages;
  std::vector<Sent> saved;  // by the saver's thread; to be read after end()
  std::function<bool()> gives_up = [] { return false; };
  std::optional<StateKeeper> keeper;
};

TEST(StateKeeper, hands_every_cell_to_every_buddy_once_and_keeps_it_too) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  worker.keeper->resume(from_files(3, 0));
  worker.train_to(1);
  worker.keeper->keep(1, false);
  worker.keeper->keep(1, false);
  EXPECT_THAT(worker.sent, ElementsAre(Sent{2, 0, 1}, Sent{3, 0, 1}, Sent{2, 1, 1}, Sent{3, 1, 1}));
  for (const comm::CellCopy& message : worker.messages) {
    EXPECT_EQ(message.about.incarnation, 3U);
    ASSERT_TRUE(worker.copies.find(message.about.cell, 1));
    EXPECT_EQ(message.state, *worker.copies.find(message.about.cell, 1));
  }
  worker.train_to(2);
  worker.keeper->keep(2, false);
  EXPECT_EQ(worker.sent.size(), 8U);
  worker.end();
  EXPECT_EQ(folder.n_files(), 0) << "nothing was to be on a disk";
}

TEST(StateKeeper, without_buddies_there_are_no_copies) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run", {});
  worker.train_to(1);
  worker.keeper->keep(1, true);
  worker.end();
  EXPECT_THAT(worker.sent, IsEmpty());
  EXPECT_FALSE(worker.copies.find({0}, 1));
  EXPECT_THAT(worker.saved, ElementsAre(Sent{0, 0, 1}, Sent{0, 1, 1}));
}

TEST(StateKeeper, writes_every_cell_once_to_the_bytes_of_its_copy) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  worker.train_to(1);
  worker.keeper->keep(1, false);
  worker.keeper->keep(1, true);
  worker.keeper->keep(1, true);
  worker.end();
  EXPECT_EQ(worker.sent.size(), 4U) << "copied before";
  EXPECT_THAT(worker.saved, ElementsAre(Sent{0, 0, 1}, Sent{0, 1, 1}));
  const checkpoint::RunCheckpoints files(folder / "run", 2);
  for (const CellId cell : {CellId{0}, CellId{1}}) {
    const std::string written = checkpoint::testing::read_file(files.file(1, cell));
    EXPECT_TRUE(
        std::ranges::equal(std::as_bytes(std::span(written)), *worker.copies.find(cell, 1)));
  }
}

TEST(StateKeeper, at_0_the_seed_alone_says_where_to_begin) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  const auto seeded = worker.fingerprints();
  worker.keeper->resume(from_files(2, 0));
  EXPECT_EQ(worker.fingerprints(), seeded);
}

TEST(StateKeeper, goes_on_from_copies_that_another_worker_handed_out) {
  const TemporaryFolder folder;
  Fixture lost(folder / "run");
  lost.train_to(2);
  lost.keeper->keep(2, false);
  Fixture worker(folder / "run");
  worker.take_over(lost.messages);
  worker.keeper->resume(from_copies(2, 2));
  EXPECT_EQ(worker.fingerprints(), lost.fingerprints());
  lost.train_to(4);
  worker.train_to(4);
  EXPECT_EQ(worker.fingerprints(), lost.fingerprints());
}

TEST(StateKeeper, waits_for_copies_that_are_on_their_way) {
  const TemporaryFolder folder;
  Fixture lost(folder / "run", {Rank{2}});
  lost.train_to(2);
  lost.keeper->keep(2, false);
  Fixture worker(folder / "run");
  std::jthread buddy([&] { worker.take_over(lost.messages); });
  worker.keeper->resume(from_copies(2, 2));
  EXPECT_EQ(worker.fingerprints(), lost.fingerprints());
}

TEST(StateKeeper, gives_up_waiting_when_there_is_something_else_to_do) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  std::atomic<bool> is_waiting = false;
  std::atomic<bool> is_over = false;
  worker.gives_up = [&] {
    is_waiting = true;
    is_waiting.notify_all();
    return is_over.load();
  };
  std::jthread master([&] {
    is_waiting.wait(false);
    is_over = true;
    worker.copies.reconsider();
  });
  EXPECT_THROW(worker.keeper->resume(from_copies(2, 2)), coev::Interrupted);
}

TEST(StateKeeper, a_copy_that_is_damaged_or_of_another_run_is_refused) {
  const TemporaryFolder folder;
  Fixture lost(folder / "run", {Rank{2}});
  lost.train_to(2);
  lost.keeper->keep(2, false);
  const std::vector<comm::CellCopy> good = lost.messages;
  const auto refused = [&](std::vector<comm::CellCopy> copies) {
    Fixture worker(folder / "run");
    worker.take_over(copies);
    return worker.complaint(from_copies(2, 2));
  };
  EXPECT_EQ(refused(good), "");
  auto damaged = good;
  damaged[1].state.back() ^= std::byte{1};
  EXPECT_THAT(refused(damaged), HasSubstr("copy of cell 1 at 2"));
  auto cut = good;
  cut[0].state.resize(cut[0].state.size() / 2);
  EXPECT_THAT(refused(cut), HasSubstr("copy of cell 0 at 2"));
  auto exchanged = good;
  std::swap(exchanged[0].state, exchanged[1].state);
  EXPECT_THAT(refused(exchanged), HasSubstr("expected generation 2 of cell 0"));
}

TEST(StateKeeper, goes_on_from_files_and_writes_them_no_second_time) {
  const TemporaryFolder folder;
  Fixture before(folder / "run", {});
  before.train_to(2);
  before.keeper->keep(2, true);
  before.end();
  Fixture worker(folder / "run");
  worker.keeper->resume(from_files(2, 2));
  EXPECT_EQ(worker.fingerprints(), before.fingerprints());
  worker.keeper->keep(2, true);
  EXPECT_EQ(worker.sent.size(), 4U) << "but the buddies have no copy yet";
  worker.train_to(3);
  worker.keeper->keep(3, true);
  worker.end();
  EXPECT_THAT(worker.saved, ElementsAre(Sent{0, 0, 3}, Sent{0, 1, 3}));
}

TEST(StateKeeper, what_was_resumed_from_copies_is_not_on_a_disk_yet) {
  const TemporaryFolder folder;
  Fixture lost(folder / "run", {Rank{2}});
  lost.train_to(2);
  lost.keeper->keep(2, false);
  Fixture worker(folder / "run");
  worker.take_over(lost.messages);
  worker.keeper->resume(from_copies(2, 2));
  worker.keeper->keep(2, true);
  worker.end();
  EXPECT_THAT(worker.saved, ElementsAre(Sent{0, 0, 2}, Sent{0, 1, 2}));
}

TEST(StateKeeper, a_file_that_is_missing_is_refused) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  EXPECT_THAT(worker.complaint(from_files(2, 2)), HasSubstr("found none"));
}

}  // namespace
}  // namespace lipizz::worker
