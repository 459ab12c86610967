#include "comm/setup_messages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

void write(ByteWriter& writer, const std::vector<std::string>& texts) {
  writer.value(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) writer.text(text);
}

std::vector<std::string> read_texts(ByteReader& reader) {
  std::vector<std::string> texts;
  const auto n = reader.value<std::uint64_t>();
  // Grows with what is there: a count that lies runs into the end of the message.
  for (std::uint64_t i = 0; i < n; ++i) texts.push_back(reader.text());
  return texts;
}

void write(ByteWriter& writer, const std::vector<MemoryLimit>& limits) {
  writer.value(static_cast<std::uint64_t>(limits.size()));
  for (const MemoryLimit& limit : limits) {
    writer.text(limit.name);
    writer.value(limit.free_bytes);
    writer.value(limit.shared_by);
    writer.value(static_cast<std::uint8_t>(limit.counts_files));
  }
}

std::vector<MemoryLimit> read_limits(ByteReader& reader) {
  std::vector<MemoryLimit> limits;
  const auto n = reader.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < n; ++i) {
    MemoryLimit& limit = limits.emplace_back();
    limit.name = reader.text();
    limit.free_bytes = reader.value<std::uint64_t>();
    limit.shared_by = reader.value<std::uint64_t>();
    limit.counts_files = reader.value<std::uint8_t>() != 0;
  }
  return limits;
}

void write(ByteWriter& writer, const std::vector<Library>& libraries) {
  writer.value(static_cast<std::uint64_t>(libraries.size()));
  for (const auto& [name, version] : libraries) {
    writer.text(name);
    writer.text(version);
  }
}

std::vector<Library> read_libraries(ByteReader& reader) {
  std::vector<Library> libraries;
  const auto n = reader.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < n; ++i) {
    std::string name = reader.text();
    libraries.push_back({std::move(name), reader.text()});
  }
  return libraries;
}

// Cells are placed by it, so that it must be a time.
Speed read_speed(ByteReader& reader) {
  const auto fixed_s = reader.value<double>();
  const auto per_cell_s = reader.value<double>();
  const auto is_time = [](double value) { return value >= 0 && std::isfinite(value); };
  if (is_time(fixed_s) && is_time(per_cell_s)) return {fixed_s, per_cell_s};
  throw CommError("an inventory entry: expected seconds as a speed, found " +
                  std::to_string(fixed_s) + " and " + std::to_string(per_cell_s));
}

}  // namespace

Bytes InventoryEntry::encode() const {
  ByteWriter writer;
  writer.text(host);
  writer.value(pid);
  writer.value(cores.n);
  writer.value(cores.set);
  writer.value(cores.n_of_all);
  writer.value(load);
  writer.value(memory.bytes);
  write(writer, memory.limits);
  write(writer, devices);
  writer.value(n_gpus);
  writer.text(why_no_gpu);
  writer.text(program.version);
  writer.value(program.build);
  write(writer, program.libraries);
  writer.value(configuration);
  writer.text(engine);
  write(writer, numerics_levels);
  writer.value(static_cast<std::uint8_t>(speed.has_value()));
  if (speed) {
    writer.value(speed->fixed_s);
    writer.value(speed->per_cell_s);
  }
  writer.value(exit_code);
  writer.text(error);
  return writer.take();
}

InventoryEntry InventoryEntry::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "an inventory entry");
  InventoryEntry entry;
  entry.host = reader.text();
  entry.pid = reader.value<std::uint32_t>();
  entry.cores.n = reader.value<std::uint32_t>();
  entry.cores.set = reader.value<std::uint64_t>();
  entry.cores.n_of_all = reader.value<std::uint32_t>();
  entry.load = reader.value<double>();
  entry.memory.bytes = reader.value<std::uint64_t>();
  entry.memory.limits = read_limits(reader);
  entry.devices = read_texts(reader);
  entry.n_gpus = reader.value<std::uint32_t>();
  entry.why_no_gpu = reader.text();
  entry.program.version = reader.text();
  entry.program.build = reader.value<std::uint64_t>();
  entry.program.libraries = read_libraries(reader);
  entry.configuration = reader.value<std::uint64_t>();
  entry.engine = reader.text();
  entry.numerics_levels = read_texts(reader);
  if (reader.value<std::uint8_t>() != 0) entry.speed = read_speed(reader);
  entry.exit_code = reader.value<std::int32_t>();
  entry.error = reader.text();
  reader.expect_end();
  return entry;
}

Bytes RunPlan::encode() const {
  ByteWriter writer;
  writer.value(static_cast<std::uint8_t>(go));
  writer.value(static_cast<std::uint8_t>(asks_for_speed));
  writer.value(exit_code);
  writer.text(experiment);
  writer.text(numerics);
  writer.text(convolution_table);
  writer.text(output_dir);
  writer.value(start);
  write(writer, hosts);
  write(writer, devices);
  writer.values<std::int32_t>(rank_of_cell);
  writer.value(static_cast<std::uint8_t>(survives_losses));
  writer.value(ranks_per_cell);
  return writer.take();
}

RunPlan RunPlan::decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the master's run plan");
  RunPlan run_plan;
  run_plan.go = reader.value<std::uint8_t>() != 0;
  run_plan.asks_for_speed = reader.value<std::uint8_t>() != 0;
  run_plan.exit_code = reader.value<std::int32_t>();
  run_plan.experiment = reader.text();
  run_plan.numerics = reader.text();
  run_plan.convolution_table = reader.text();
  run_plan.output_dir = reader.text();
  run_plan.start = reader.value<Generation>();
  run_plan.hosts = read_texts(reader);
  run_plan.devices = read_texts(reader);
  run_plan.rank_of_cell = reader.values<std::int32_t>();
  run_plan.survives_losses = reader.value<std::uint8_t>() != 0;
  run_plan.ranks_per_cell = reader.value<std::uint32_t>();
  reader.expect_end();
  if (run_plan.ranks_per_cell == 0) throw CommError("the master's run plan has no rank to a cell");
  if (run_plan.devices.size() != run_plan.hosts.size()) {
    throw CommError("the master's run plan has " + std::to_string(run_plan.devices.size()) +
                    " devices for " + std::to_string(run_plan.hosts.size()) + " ranks");
  }
  const auto n_ranks = static_cast<std::int32_t>(run_plan.hosts.size());
  for (const std::int32_t rank : run_plan.rank_of_cell) {
    if (rank <= kMaster.value || rank >= n_ranks) {
      throw CommError("the master's run plan places a cell on rank " + std::to_string(rank) +
                      " of " + std::to_string(n_ranks));
    }
  }
  return run_plan;
}

std::vector<Rank> workers_among(std::span<const Rank> ranks, std::uint32_t ranks_per_cell) {
  std::vector<Rank> workers;
  std::ranges::copy_if(ranks, std::back_inserter(workers),
                       [&](Rank rank) { return worker_of(rank, ranks_per_cell) == rank; });
  return workers;
}

std::vector<Rank> with_helpers(std::span<const Rank> workers, std::uint32_t ranks_per_cell) {
  std::vector<Rank> ranks;
  for (const Rank worker : workers) {
    for (std::uint32_t i = 0; i < ranks_per_cell; ++i) {
      ranks.push_back({worker.value + static_cast<int>(i)});
    }
  }
  return ranks;
}

std::vector<CellId> cells_of(std::span<const std::int32_t> rank_of_cell, Rank rank) {
  std::vector<CellId> cells;
  for (std::uint32_t cell = 0; cell < rank_of_cell.size(); ++cell) {
    if (rank_of_cell[cell] == rank.value) cells.push_back({cell});
  }
  return cells;
}

std::vector<std::vector<CellId>> cells_by_rank(std::span<const std::int32_t> rank_of_cell,
                                               std::size_t n_ranks) {
  std::vector<std::vector<CellId>> cells(n_ranks);
  for (std::uint32_t cell = 0; cell < rank_of_cell.size(); ++cell) {
    cells[static_cast<std::size_t>(rank_of_cell[cell])].push_back({cell});
  }
  return cells;
}

std::vector<Rank> living_among(std::size_t n_ranks, std::span<const std::int32_t> lost) {
  std::vector<Rank> ranks;
  for (std::int32_t rank = kMaster.value + 1; rank < static_cast<std::int32_t>(n_ranks); ++rank) {
    if (std::ranges::find(lost, rank) == lost.end()) ranks.push_back({rank});
  }
  return ranks;
}

std::vector<Rank> active_in(std::span<const std::int32_t> rank_of_cell) {
  const std::set<std::int32_t> distinct(rank_of_cell.begin(), rank_of_cell.end());
  std::vector<Rank> ranks;
  for (const std::int32_t rank : distinct) ranks.push_back({rank});
  return ranks;
}

}  // namespace lipizz::comm
