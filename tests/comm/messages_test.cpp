#include "comm/messages.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::comm::messages_test {
namespace {

// No shorter or longer message may pass.
template <class Payload>
Payload back_from_the_wire(const Payload& sent) {
  const Bytes bytes = sent.encode();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(Payload::decode(Bytes(bytes.begin(), bytes.begin() + n)), CommError) << n;
  }
  Bytes longer = bytes;
  longer.push_back({});
  EXPECT_THROW(Payload::decode(longer), CommError);
  return Payload::decode(bytes);
}

TEST(Messages, status) {
  const Status status = back_from_the_wire(Status{WorkerState::kFinished, 12, 7, "a gather"});
  EXPECT_EQ(status.state, WorkerState::kFinished);
  EXPECT_EQ(status.generation, 12U);
  EXPECT_EQ(status.waits_for, 7);
  EXPECT_EQ(status.collective, "a gather");
  EXPECT_EQ(to_string(status.state), "finished");
  Bytes wrong = status.encode();
  wrong[0] = std::byte{3};
  EXPECT_THROW(Status::decode(wrong), CommError);
}

TEST(Messages, metrics) {
  const Metrics metrics = back_from_the_wire(Metrics{{3}, 4, -2.5, "{}", true, 0.25});
  EXPECT_EQ(metrics.cell, CellId{3});
  EXPECT_EQ(metrics.generation, 4U);
  EXPECT_EQ(metrics.score, -2.5);
  EXPECT_EQ(metrics.line, "{}");
  EXPECT_TRUE(metrics.has_diverged);
  EXPECT_EQ(metrics.seconds, 0.25);
}

TEST(Messages, cell_result) {
  const CellResult result = back_from_the_wire(
      CellResult{.incarnation = 3,
                 .cell = {1},
                 .score = 0.5,
                 .fingerprint = 0xfeedU,
                 .details = {{.name = "tvd", .value = 0.25}},
                 .class_shares = {0.5, 0.5},
                 .mixture = {{.cell = {1}, .weight = 0.75}, {.cell = {2}, .weight = 0.25}},
                 .wall_s = {{.name = "gather", .value = 3}},
                 .cpu_s = {{.name = "train", .value = 9}},
                 .exchange_messages = 4,
                 .exchange_bytes = 800});
  EXPECT_EQ(result.incarnation, 3U);
  EXPECT_EQ(result.cell, CellId{1});
  EXPECT_EQ(result.score, 0.5);
  EXPECT_EQ(result.fingerprint, 0xfeedU);
  ASSERT_EQ(result.details.size(), 1U);
  EXPECT_EQ(result.details[0].name, "tvd");
  EXPECT_EQ(result.details[0].value, 0.25);
  EXPECT_THAT(result.class_shares, ::testing::ElementsAre(0.5, 0.5));
  ASSERT_EQ(result.mixture.size(), 2U);
  EXPECT_EQ(result.mixture[1].cell, CellId{2});
  EXPECT_EQ(result.mixture[1].weight, 0.25);
  ASSERT_EQ(result.wall_s.size(), 1U);
  EXPECT_EQ(result.wall_s[0].name, "gather");
  EXPECT_EQ(result.wall_s[0].value, 3);
  ASSERT_EQ(result.cpu_s.size(), 1U);
  EXPECT_EQ(result.cpu_s[0].name, "train");
  EXPECT_EQ(result.cpu_s[0].value, 9);
  EXPECT_EQ(result.exchange_messages, 4U);
  EXPECT_EQ(result.exchange_bytes, 800U);
}

TEST(Messages, a_count_that_lies_allocates_nothing) {
  ByteWriter writer;
  writer.value(std::uint32_t{1});  // the incarnation
  writer.value(CellId{1});
  writer.value(0.5);
  writer.value(std::uint64_t{7});
  writer.value(~std::uint64_t{0});  // so many details
  EXPECT_THROW(CellResult::decode(writer.take()), CommError);
}

TEST(Messages, traffic) {
  TrafficReport report{.incarnation = 2, .traffic = {}};
  report.traffic.on(Scope::kWorld) = {1, 10};
  report.traffic.on(Scope::kLocal) = {2, 20};
  report.traffic.on(Scope::kGlobal) = {3, 30};
  report.traffic.unauthenticated = 4;
  const TrafficReport back = back_from_the_wire(report);
  EXPECT_EQ(back.incarnation, 2U);
  EXPECT_EQ(back.traffic, report.traffic);
  Bytes longer = report.encode();
  longer.push_back({});
  EXPECT_THROW(TrafficReport::decode(longer), CommError);
}

TEST(Messages, task_and_its_end) {
  const Task task = back_from_the_wire(Task{TaskKind::kFinalFiles, {7}, 3, Rank{2}});
  EXPECT_EQ(task.kind, TaskKind::kFinalFiles);
  EXPECT_EQ(task.cell, CellId{7});
  EXPECT_EQ(task.generation, 3U);
  EXPECT_EQ(task.writer_rank, Rank{2});
  const TaskDone done = back_from_the_wire(
      TaskDone{.kind = TaskKind::kImprovedSheet,
               .metric = "frechet",
               .floor = 0.75,
               .n_samples = 1000,
               .file = "a.png",
               .judge = 0xfedcba9876543210U,
               .generation = 7,
               .weights = {{"generator/0.weight", {-1, 2, 3, 4, {5, 6}}}, {"b", {}}}});
  EXPECT_EQ(done.kind, TaskKind::kImprovedSheet);
  EXPECT_EQ(done.metric, "frechet");
  EXPECT_EQ(done.floor, 0.75);
  EXPECT_EQ(done.n_samples, 1000U);
  EXPECT_EQ(done.file, "a.png");
  EXPECT_EQ(done.judge, 0xfedcba9876543210U);
  EXPECT_EQ(done.generation, 7U);
  ASSERT_EQ(done.weights.size(), 2U);
  EXPECT_EQ(done.weights[0].tensor, "generator/0.weight");
  EXPECT_EQ(done.weights[0].histogram, (Histogram{-1, 2, 3, 4, {5, 6}}));
  EXPECT_EQ(done.weights[1].tensor, "b");
}

TEST(Messages, failure_stop_and_cell_samples) {
  const Failure failure = back_from_the_wire(Failure{4, "no data"});
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_EQ(failure.message, "no data");
  for (const Ending ending :
       {Ending::kTogether, Ending::kAborted, Ending::kAlone, Ending::kGivenUp}) {
    EXPECT_EQ(back_from_the_wire(Stop{75, ending}), (Stop{75, ending}));
  }
  const CellSamples samples = back_from_the_wire(CellSamples{{5}, {0.5F, -1}});
  EXPECT_EQ(samples.cell, CellId{5});
  EXPECT_THAT(samples.samples, ::testing::ElementsAre(0.5F, -1));
}

TEST(Messages, directive_and_flushed) {
  const Directive leave{.save_at = 7, .save_from = 9, .course = Directive::Course::kLeave};
  EXPECT_EQ(back_from_the_wire(leave), leave);
  EXPECT_EQ(back_from_the_wire(Directive{}), Directive{});
  Bytes unknown = leave.encode();
  unknown.back() = std::byte{2};
  EXPECT_THROW(Directive::decode(unknown), CommError);
  EXPECT_GT(Directive::kNever, 1'000'000U) << "beyond every generation that a run may have";
  EXPECT_EQ(back_from_the_wire(Flushed{12}).incarnation, 12U);
  EXPECT_EQ(back_from_the_wire(Lost{12}).rank, 12);
}

TEST(Messages, saved_or_why_not) {
  const Saved saved = back_from_the_wire(Saved{2, {3}, 20, ""});
  EXPECT_EQ(saved.incarnation, 2U);
  EXPECT_EQ(saved.cell, CellId{3});
  EXPECT_EQ(saved.generation, 20U);
  EXPECT_EQ(saved.error, "");
  EXPECT_EQ(back_from_the_wire(Saved{2, {3}, 20, "", 1.5}).seconds, 1.5);
  EXPECT_EQ(back_from_the_wire(Saved{2, {3}, 20, "the disk is full"}).error, "the disk is full");
  ByteWriter lying;
  lying.value(std::uint32_t{2});
  lying.value(CellId{3});
  lying.value(Generation{20});
  lying.value(~std::uint64_t{0});  // so long a text
  EXPECT_THROW(Saved::decode(lying.take()), CommError);
}

TEST(Messages, a_stop_with_an_unknown_ending_is_refused) {
  Bytes wrong = Stop{0, Ending::kGivenUp}.encode();
  wrong.back() = std::byte{4};
  EXPECT_THROW(Stop::decode(wrong), CommError);
}

TEST(Messages, assignment) {
  const Assignment first{1, 0, {1, 2}, {Assignment::kNobody, Assignment::kNobody}, {}};
  EXPECT_EQ(back_from_the_wire(first), first);
  const Assignment later{7, 20, {3, 2, 3}, {2, 2, 4}, {1, 5}, 30};
  EXPECT_EQ(back_from_the_wire(later), later);
}

TEST(Messages, an_assignment_with_more_or_fewer_sources_than_cells_is_refused) {
  EXPECT_THROW(Assignment::decode(Assignment{1, 0, {1, 1}, {2}, {}}.encode()), CommError);
  EXPECT_THROW(Assignment::decode(Assignment{1, 0, {1}, {2, 2}, {}}.encode()), CommError);
}

TEST(Messages, shared_resource) {
  const SharedResource judge =
      back_from_the_wire(SharedResource{SharedResource::Kind::kJudge, Bytes(3, std::byte{5})});
  EXPECT_EQ(judge.kind, SharedResource::Kind::kJudge);
  EXPECT_EQ(judge.bytes, Bytes(3, std::byte{5}));
  const SharedResource handle =
      back_from_the_wire(SharedResource{SharedResource::Kind::kDataset, {}});
  EXPECT_EQ(handle.kind, SharedResource::Kind::kDataset);
  EXPECT_TRUE(handle.bytes.empty());
  Bytes wrong = judge.encode();
  wrong[0] = std::byte{2};
  EXPECT_THROW(SharedResource::decode(wrong), CommError);
}

TEST(Messages, begun_and_stable) {
  EXPECT_EQ(back_from_the_wire(Begun{4}).incarnation, 4U);
  EXPECT_EQ(back_from_the_wire(Stable{21}).generation, 21U);
}

TEST(Messages, a_copy_and_that_it_is_held) {
  const Held held{2, {3}, 14};
  EXPECT_EQ(back_from_the_wire(held), held);
  const CellCopy copy = back_from_the_wire(CellCopy{held, Bytes(9, std::byte{8})});
  EXPECT_EQ(copy.about, held);
  EXPECT_EQ(copy.state, Bytes(9, std::byte{8}));
  ByteWriter lying;
  lying.value(held);
  lying.value(~std::uint64_t{0});  // so large a state
  EXPECT_THROW(CellCopy::decode(lying.take()), CommError);
}

}  // namespace
}  // namespace lipizz::comm::messages_test
