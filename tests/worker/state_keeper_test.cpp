#include "worker/state_keeper.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <thread>

#include "checkpoint/support.hpp"
#include "coev/interrupted.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "fake_island.hpp"
#include "nn/exec/host_device.hpp"
#include "toy_scorer.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker::state_keeper_test {
namespace {

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

const checkpoint::Lineage kLineage{
    .configuration = 0xabcU, .numerics = "baseline", .dataset = 7, .judge = 5};

// A worker with both cells, its buddies being ranks 2 and 3.
struct Fixture {
  explicit Fixture(const fs::path& run, std::vector<Rank> buddies = {Rank{2}, Rank{3}})
      : output_dir(run), run_folder(run) {
    StateKeeper::Surroundings around;
    around.lineage = [] { return kLineage; };
    around.buddies = [buddies] { return buddies; };
    around.send = [this](Rank to, const comm::CellCopy& copy) {
      sent.push_back({to.value, copy.about.cell.value, copy.about.generation});
      messages.push_back(copy);
    };
    around.gives_up = [this] { return gives_up(); };
    saver.emplace([this](const HeldState& cell) { saved.push_back(cell); },
                  [](const comm::Saved&) {}, clock);
    keeper.emplace(island, settings, 2, copies, *saver, run_folder, std::move(around));
    copies.begin(0, 0, {{0}, {1}});
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

  void keep(Generation generation, bool on_disk) {
    keeper->keep(generation, on_disk, [] {});
  }

  void write_files() {
    static_cast<void>(written());
    for (const HeldState& cell : saved) {
      const checkpoint::RunCheckpoints files(output_dir, 2);
      files.prepare(cell.generation);
      cell.snapshot->write(files.file(cell.generation, cell.cell));
    }
  }

  // The states that went to the saver, once it has written all of them.
  std::vector<std::pair<std::uint32_t, Generation>> written() {
    saver.reset();
    std::vector<std::pair<std::uint32_t, Generation>> all;
    for (const HeldState& cell : saved) all.emplace_back(cell.cell.value, cell.generation);
    return all;
  }

  std::pair<std::uint64_t, std::uint64_t> fingerprints() const {
    return {island.fingerprint({0}), island.fingerprint({1})};
  }

  // As if they had come from another worker.
  void take_over(const std::vector<comm::CellCopy>& sent_by_another) {
    for (const comm::CellCopy& copy : sent_by_another) {
      copies.keep(copy.about.incarnation, {copy.about.cell, copy.about.generation,
                                           std::make_shared<const CellSnapshot>(copy.state)});
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

  fs::path output_dir;
  coev::Settings settings = coev::fake::small_settings(1);
  std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  ToyScorer scorer;
  nn::HostDevice device;
  coev::Island island{settings, {1, 2}, {{0}, {1}}, *dataset, scorer, device};
  CellCopies copies;
  checkpoint::HeldFolder run_folder;
  std::vector<Sent> sent;
  std::vector<comm::CellCopy> messages;
  const SystemClock clock;
  std::vector<HeldState> saved;  // by the saver's thread; to be read after written()
  std::optional<CellSaver> saver;
  std::function<bool()> gives_up = [] { return false; };
  std::optional<StateKeeper> keeper;
};

TEST(StateKeeper, hands_every_cell_to_every_buddy_and_keeps_it_too) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  worker.keeper->resume(from_files(3, 0));
  worker.train_to(1);
  worker.keep(1, false);
  EXPECT_THAT(worker.sent, ElementsAre(Sent{2, 0, 1}, Sent{3, 0, 1}, Sent{2, 1, 1}, Sent{3, 1, 1}));
  for (const comm::CellCopy& message : worker.messages) {
    EXPECT_EQ(message.about.incarnation, 3U);
    ASSERT_TRUE(worker.copies.find(message.about.cell, 1));
    EXPECT_EQ(message.state, worker.copies.find(message.about.cell, 1)->bytes());
  }
  worker.train_to(2);
  worker.keep(2, false);
  EXPECT_EQ(worker.sent.size(), 8U);
  EXPECT_THAT(worker.written(), IsEmpty()) << "nothing was to be on a disk";
}

TEST(StateKeeper, without_buddies_it_keeps_its_cells_all_the_same) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run", {});
  worker.train_to(1);
  worker.keep(1, true);
  EXPECT_THAT(worker.sent, IsEmpty());
  ASSERT_TRUE(worker.copies.find({0}, 1));
  EXPECT_THAT(worker.written(), ElementsAre(std::pair(0U, 1U), std::pair(1U, 1U)));
  EXPECT_EQ(worker.saved[0].snapshot->bytes(),
            encode_cell(worker.settings, worker.island.state({0}),
                        {.cell = {0}, .generation = 1, .lineage = kLineage}));
}

TEST(StateKeeper, what_it_holds_stays_as_it_was_and_outlives_it) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run", {});
  worker.train_to(1);
  worker.keep(1, false);
  const auto then = worker.fingerprints();
  worker.train_to(3);
  worker.keeper.reset();
  Fixture later(folder / "run");
  for (const CellId cell : {CellId{0}, CellId{1}}) {
    const Bytes held = worker.copies.find(cell, 1)->bytes();
    later.copies.keep(2, {cell, 1, std::make_shared<const CellSnapshot>(held)});
  }
  later.keeper->resume(from_copies(2, 1));
  EXPECT_EQ(later.fingerprints(), then);
  EXPECT_NE(later.fingerprints(), worker.fingerprints());
}

TEST(StateKeeper, tells_of_a_generation_before_it_keeps_it) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  worker.train_to(1);
  bool is_told = false;
  worker.keeper->keep(1, true, [&] {
    is_told = true;
    EXPECT_THAT(worker.sent, IsEmpty());
  });
  EXPECT_TRUE(is_told);
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
  lost.keep(2, false);
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
  lost.keep(2, false);
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
  lost.keep(2, false);
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
  before.keep(2, true);
  before.write_files();
  Fixture worker(folder / "run");
  worker.keeper->resume(from_files(2, 2));
  EXPECT_EQ(worker.fingerprints(), before.fingerprints());
  worker.keep(2, true);
  EXPECT_EQ(worker.sent.size(), 4U) << "but the buddies have no copy yet";
  worker.train_to(3);
  worker.keep(3, true);
  EXPECT_THAT(worker.written(), ElementsAre(std::pair(0U, 3U), std::pair(1U, 3U)));
}

TEST(StateKeeper, what_was_resumed_from_copies_is_not_on_a_disk_yet) {
  const TemporaryFolder folder;
  Fixture lost(folder / "run", {Rank{2}});
  lost.train_to(2);
  lost.keep(2, false);
  Fixture worker(folder / "run");
  worker.take_over(lost.messages);
  worker.keeper->resume(from_copies(2, 2));
  worker.keep(2, true);
  EXPECT_THAT(worker.written(), ElementsAre(std::pair(0U, 2U), std::pair(1U, 2U)));
}

TEST(StateKeeper, a_file_that_is_missing_is_refused) {
  const TemporaryFolder folder;
  Fixture worker(folder / "run");
  EXPECT_THAT(worker.complaint(from_files(2, 2)), HasSubstr("found none"));
}

}  // namespace
}  // namespace lipizz::worker::state_keeper_test
