#include "comm/messages.hpp"

#include <type_traits>

#include "comm/authentication.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr std::ptrdiff_t kCopyHeadBytes = sizeof(Held) + sizeof(std::uint64_t);

template <class Enum>
Enum read_enum(ByteReader& reader, Enum last, std::string_view what) {
  const auto value = reader.value<Enum>();
  if (value > last) throw CommError(std::string(what) + " of an unknown kind arrived");
  return value;
}

// Payloads whose bytes in memory are those on the wire.
template <class Payload>
Bytes encode_plain(const Payload& payload) {
  static_assert(std::has_unique_object_representations_v<Payload>);
  ByteWriter writer;
  writer.value(payload);
  return writer.take();
}

template <class Payload>
Payload decode_plain(std::span<const std::byte> bytes, std::string_view what) {
  ByteReader reader(bytes, what);
  const auto payload = reader.value<Payload>();
  reader.expect_end();
  return payload;
}

void write(ByteWriter& writer, const std::vector<CellResult::Named>& values) {
  writer.value(static_cast<std::uint64_t>(values.size()));
  for (const auto& [name, value] : values) {
    writer.text(name);
    writer.value(value);
  }
}

std::vector<CellResult::Named> read_named(ByteReader& reader) {
  std::vector<CellResult::Named> values;
  const auto n = reader.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < n; ++i) {
    std::string name = reader.text();
    values.push_back({std::move(name), reader.value<double>()});
  }
  return values;
}

}  // namespace

std::string_view to_string(WorkerState state) {
  switch (state) {
    case WorkerState::kInactive:
      return "inactive";
    case WorkerState::kProcessing:
      return "processing";
    case WorkerState::kFinished:
      return "finished";
  }
  return "";
}

Bytes Status::encode() const {
  ByteWriter writer;
  writer.value(state);
  writer.value(generation);
  writer.value(waits_for);
  writer.text(collective);
  return writer.take();
}

Status Status::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a status");
  Status status;
  status.state = read_enum(reader, WorkerState::kFinished, "a status");
  status.generation = reader.value<Generation>();
  status.waits_for = reader.value<std::int32_t>();
  status.collective = reader.text();
  reader.expect_end();
  return status;
}

Bytes Metrics::encode() const {
  ByteWriter writer;
  writer.value(cell);
  writer.value(generation);
  writer.value(score);
  writer.text(line);
  writer.value(static_cast<std::uint8_t>(has_diverged));
  writer.value(seconds);
  return writer.take();
}

Metrics Metrics::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a cell's metrics");
  Metrics metrics;
  metrics.cell = reader.value<CellId>();
  metrics.generation = reader.value<Generation>();
  metrics.score = reader.value<double>();
  metrics.line = reader.text();
  metrics.has_diverged = reader.value<std::uint8_t>() != 0;
  metrics.seconds = reader.value<double>();
  reader.expect_end();
  return metrics;
}

Bytes CellResult::encode() const {
  ByteWriter writer;
  writer.value(incarnation);
  writer.value(cell);
  writer.value(score);
  writer.value(fingerprint);
  write(writer, details);
  writer.values<double>(class_shares);
  writer.values<Member>(mixture);
  write(writer, wall_s);
  write(writer, cpu_s);
  writer.value(exchange_messages);
  writer.value(exchange_bytes);
  return writer.take();
}

CellResult CellResult::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a cell's result");
  CellResult result;
  result.incarnation = reader.value<std::uint32_t>();
  result.cell = reader.value<CellId>();
  result.score = reader.value<double>();
  result.fingerprint = reader.value<std::uint64_t>();
  result.details = read_named(reader);
  result.class_shares = reader.values<double>();
  result.mixture = reader.values<Member>();
  result.wall_s = read_named(reader);
  result.cpu_s = read_named(reader);
  result.exchange_messages = reader.value<std::uint64_t>();
  result.exchange_bytes = reader.value<std::uint64_t>();
  reader.expect_end();
  return result;
}

Bytes TrafficReport::encode() const {
  ByteWriter writer;
  writer.value(incarnation);
  for (const Traffic::Count& count : traffic.by_scope) {
    writer.value(count.messages);
    writer.value(count.bytes);
  }
  writer.value(traffic.unauthenticated);
  return writer.take();
}

TrafficReport TrafficReport::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a report of traffic");
  TrafficReport report;
  report.incarnation = reader.value<std::uint32_t>();
  for (Traffic::Count& count : report.traffic.by_scope) {
    count.messages = reader.value<std::uint64_t>();
    count.bytes = reader.value<std::uint64_t>();
  }
  report.traffic.unauthenticated = reader.value<std::uint64_t>();
  reader.expect_end();
  return report;
}

Bytes Task::encode() const {
  ByteWriter writer;
  writer.value(kind);
  writer.value(cell);
  writer.value(generation);
  writer.value(static_cast<std::int32_t>(writer_rank.value));
  return writer.take();
}

Task Task::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a task");
  Task task;
  task.kind = read_enum(reader, TaskKind::kFinalFiles, "a task");
  task.cell = reader.value<CellId>();
  task.generation = reader.value<Generation>();
  task.writer_rank = {reader.value<std::int32_t>()};
  reader.expect_end();
  return task;
}

Bytes TaskDone::encode() const {
  ByteWriter writer;
  writer.value(kind);
  writer.text(metric);
  writer.value(floor);
  writer.value(n_samples);
  writer.text(file);
  writer.value(judge);
  writer.value(seconds);
  writer.value(generation);
  writer.value(static_cast<std::uint32_t>(weights.size()));
  for (const Weights& each : weights) {
    const auto& [min, max, sum, sum_squares, counts] = each.histogram;
    writer.text(each.tensor);
    for (const double figure : {min, max, sum, sum_squares}) writer.value(figure);
    writer.values(std::span(counts));
  }
  return writer.take();
}

TaskDone TaskDone::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the end of a task");
  TaskDone done;
  done.kind = read_enum(reader, TaskKind::kFinalFiles, "the end of a task");
  done.metric = reader.text();
  done.floor = reader.value<double>();
  done.n_samples = reader.value<std::uint32_t>();
  done.file = reader.text();
  done.judge = reader.value<std::uint64_t>();
  done.seconds = reader.value<double>();
  done.generation = reader.value<Generation>();
  // As many as are there: memory follows what is read, not what is announced.
  for (auto n = reader.value<std::uint32_t>(); n > 0; --n) {
    Weights& each = done.weights.emplace_back();
    each.tensor = reader.text();
    auto& [min, max, sum, sum_squares, counts] = each.histogram;
    for (double* figure : {&min, &max, &sum, &sum_squares}) *figure = reader.value<double>();
    counts = reader.values<std::uint32_t>();
  }
  reader.expect_end();
  return done;
}

Bytes Failure::encode() const {
  ByteWriter writer;
  writer.value(exit_code);
  writer.text(message);
  return writer.take();
}

Failure Failure::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a failure");
  Failure failure;
  failure.exit_code = reader.value<std::int32_t>();
  failure.message = reader.text();
  reader.expect_end();
  return failure;
}

Bytes Stop::encode() const {
  ByteWriter writer;
  writer.value(exit_code);
  writer.value(ending);
  return writer.take();
}

Stop Stop::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a stop");
  Stop stop;
  stop.exit_code = reader.value<std::int32_t>();
  stop.ending = read_enum(reader, Ending::kGivenUp, "a stop");
  reader.expect_end();
  return stop;
}

Bytes Directive::encode() const {
  ByteWriter writer;
  writer.value(save_at);
  writer.value(save_from);
  writer.value(course);
  return writer.take();
}

Directive Directive::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a directive");
  Directive directive;
  directive.save_at = reader.value<Generation>();
  directive.save_from = reader.value<Generation>();
  directive.course = read_enum(reader, Course::kLeave, "a directive");
  reader.expect_end();
  return directive;
}

Bytes Flushed::encode() const {
  return encode_plain(*this);
}

Flushed Flushed::decode(std::span<const std::byte> bytes) {
  return decode_plain<Flushed>(bytes, "a flushed worker");
}

Bytes Saved::encode() const {
  ByteWriter writer;
  writer.value(incarnation);
  writer.value(cell);
  writer.value(generation);
  writer.text(error);
  writer.value(seconds);
  return writer.take();
}

Saved Saved::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a saved cell");
  Saved saved;
  saved.incarnation = reader.value<std::uint32_t>();
  saved.cell = reader.value<CellId>();
  saved.generation = reader.value<Generation>();
  saved.error = reader.text();
  saved.seconds = reader.value<double>();
  reader.expect_end();
  return saved;
}

Bytes Assignment::encode() const {
  ByteWriter writer;
  writer.value(incarnation);
  writer.value(start);
  writer.values<std::int32_t>(rank_of_cell);
  writer.values<std::int32_t>(source_of_cell);
  writer.values<std::int32_t>(lost);
  writer.value(last);
  return writer.take();
}

Assignment Assignment::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "an assignment");
  Assignment assignment;
  assignment.incarnation = reader.value<std::uint32_t>();
  assignment.start = reader.value<Generation>();
  assignment.rank_of_cell = reader.values<std::int32_t>();
  assignment.source_of_cell = reader.values<std::int32_t>();
  assignment.lost = reader.values<std::int32_t>();
  assignment.last = reader.value<Generation>();
  reader.expect_end();
  if (assignment.source_of_cell.size() != assignment.rank_of_cell.size()) {
    throw CommError("an assignment of " + std::to_string(assignment.rank_of_cell.size()) +
                    " cells arrived with " + std::to_string(assignment.source_of_cell.size()) +
                    " sources");
  }
  return assignment;
}

Bytes SharedResource::encode() const {
  ByteWriter writer(sizeof kind + sizeof(std::uint64_t) + bytes.size());
  writer.value(kind);
  writer.values<std::byte>(bytes);
  return writer.take();
}

SharedResource SharedResource::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a shared resource");
  SharedResource resource;
  resource.kind = read_enum(reader, Kind::kJudge, "a shared resource");
  resource.bytes = reader.bytes();
  reader.expect_end();
  return resource;
}

Bytes Begun::encode() const {
  return encode_plain(*this);
}

Begun Begun::decode(std::span<const std::byte> bytes) {
  return decode_plain<Begun>(bytes, "the begin of a worker");
}

Bytes Lost::encode() const {
  return encode_plain(*this);
}

Lost Lost::decode(std::span<const std::byte> bytes) {
  return decode_plain<Lost>(bytes, "a lost worker");
}

Bytes Held::encode() const {
  return encode_plain(*this);
}

Held Held::decode(std::span<const std::byte> bytes) {
  return decode_plain<Held>(bytes, "a held copy");
}

Bytes CellCopy::encode() const {
  ByteWriter writer(kCopyHeadBytes + state.size());
  writer.value(about);
  writer.values<std::byte>(state);
  return writer.take();
}

CellCopy CellCopy::decode(Bytes bytes) {
  ByteReader reader(bytes, "a cell's copy");
  CellCopy copy;
  copy.about = reader.value<Held>();
  const auto n_bytes = reader.value<std::uint64_t>();
  if (n_bytes != reader.remaining()) {
    throw CommError("a cell's copy of " + std::to_string(n_bytes) + " bytes arrived with " +
                    std::to_string(reader.remaining()));
  }
  copy.state = std::move(bytes);
  copy.state.erase(copy.state.begin(), copy.state.begin() + kCopyHeadBytes);
  return copy;
}

Bytes Stable::encode() const {
  return encode_plain(*this);
}

Stable Stable::decode(std::span<const std::byte> bytes) {
  return decode_plain<Stable>(bytes, "a stable generation");
}

Bytes CellSamples::encode() const {
  ByteWriter writer;
  writer.value(cell);
  writer.values<float>(samples);
  return writer.take();
}

CellSamples CellSamples::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a cell's samples");
  CellSamples samples;
  samples.cell = reader.value<CellId>();
  samples.samples = reader.values<float>();
  reader.expect_end();
  return samples;
}

}  // namespace lipizz::comm
