#include "master/result.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/hash.hpp"
#include "master/metrics_log.hpp"

namespace lipizz::master {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array kWallRoutines{"gather", "helpers", "total"};
constexpr std::array kCpuRoutines{"train",    "update_genomes", "mutate",
                                  "evaluate", "mixture",        "total"};

OrderedJson place_of(const grid::Torus& torus, CellId cell) {
  return {{"row", torus.row(cell)}, {"col", torus.column(cell)}};
}

OrderedJson cell_of(const grid::Torus& torus, const comm::CellResult& cell) {
  OrderedJson json = place_of(torus, cell.cell);
  json["score"] = cell.score;
  json["fingerprint"] = to_hex(cell.fingerprint);
  json["mixture"] = OrderedJson::array();
  for (const auto& [member, weight] : cell.mixture) {
    OrderedJson json_member = place_of(torus, member);
    json_member["weight"] = weight;
    json["mixture"].push_back(std::move(json_member));
  }
  for (const auto& [name, value] : cell.details) json["details"][name] = value;
  if (!cell.class_shares.empty()) json["class_shares"] = cell.class_shares;
  return json;
}

OrderedJson zeros(std::span<const char* const> routines) {
  OrderedJson seconds;
  for (const char* routine : routines) seconds[routine] = 0.0;
  return seconds;
}

void add(OrderedJson& sums, const std::vector<comm::CellResult::Named>& seconds) {
  for (const auto& [name, value] : seconds) sums[name] = sums.value(name, 0.0) + value;
}

// The profile of each rank that hosts cells, summed over its cells.
OrderedJson profile_of(const RunResult& result) {
  OrderedJson profile = OrderedJson::array();
  for (const Rank rank : comm::active_in(result.rank_of_cell)) {
    const std::vector<CellId> hosted = comm::cells_of(result.rank_of_cell, rank);
    OrderedJson wall = zeros(kWallRoutines);
    OrderedJson cpu = zeros(kCpuRoutines);
    for (const CellId cell : hosted) {
      add(wall, result.cells[cell.value].wall_s);
      add(cpu, result.cells[cell.value].cpu_s);
    }
    profile.push_back(
        {{"rank", rank.value}, {"cells", hosted.size()}, {"wall_s", wall}, {"cpu_s", cpu}});
  }
  return profile;
}

OrderedJson count_of(const comm::Traffic::Count& count) {
  return {{"messages", count.messages}, {"bytes", count.bytes}};
}

OrderedJson traffic_of(const RunResult& result) {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  for (const comm::CellResult& cell : result.cells) {
    messages += cell.exchange_messages;
    bytes += cell.exchange_bytes;
  }
  const auto n_cells = static_cast<double>(result.torus.cells());
  // The state that the run starts from is published too.
  const double n_generations = result.generations - result.start;
  const double n_publications = n_cells * (n_generations + 1);
  const double n_evaluations = n_cells * std::max(n_generations, 1.0);
  OrderedJson traffic{{"world", count_of(result.traffic.on(comm::Scope::kWorld))},
                      {"local", count_of(result.traffic.on(comm::Scope::kLocal))},
                      {"global", count_of(result.traffic.on(comm::Scope::kGlobal))}};
  const comm::Traffic::Count& of_cells = result.traffic.on(comm::Scope::kCell);
  if (of_cells.messages > 0) traffic["cell"] = count_of(of_cells);
  traffic.update(OrderedJson{
      {"exchange",
       {{"messages", messages},
        {"bytes", bytes},
        {"messages_per_cell_and_generation", static_cast<double>(messages) / n_publications},
        {"bytes_per_cell_and_generation", static_cast<double>(bytes) / n_publications}}},
      {"unauthenticated", result.traffic.unauthenticated},
      {"master",
       {{"messages", result.master.messages},
        {"bytes", result.master.bytes},
        {"bytes_per_cell_and_generation",
         static_cast<double>(result.master.bytes) / n_evaluations}}}});
  return traffic;
}

OrderedJson speed_of(const comm::InventoryEntry& entry) {
  if (!entry.speed) return nullptr;
  return {{"fixed", 1e3 * entry.speed->fixed_s}, {"per_cell", 1e3 * entry.speed->per_cell_s}};
}

OrderedJson libraries_json(const std::vector<Library>& libraries) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [name, version] : libraries) json[name] = version;
  return json;
}

OrderedJson inventory_of(const RunResult& result) {
  OrderedJson inventory = OrderedJson::array();
  for (std::size_t rank = 0; rank < result.inventory.size(); ++rank) {
    const comm::InventoryEntry& entry = result.inventory[rank];
    inventory.push_back({{"rank", rank},
                         {"host", entry.host},
                         {"pid", entry.pid},
                         {"cores", entry.cores.n},
                         {"load", entry.load},
                         {"memory_mb", entry.memory.bytes / 1'000'000},
                         {"devices", entry.devices},
                         {"computes_with", result.devices[rank]},
                         {"batch_ms", speed_of(entry)},
                         {"version", entry.program.version},
                         {"build", to_hex(entry.program.build)},
                         {"lost", result.lost.contains({static_cast<int>(rank)})}});
    // Those of the master stand with the program.
    if (entry.program.libraries != result.inventory.front().program.libraries) {
      inventory.back()["libraries"] = libraries_json(entry.program.libraries);
    }
  }
  return inventory;
}

OrderedJson hosts_of(const std::vector<comm::InventoryEntry>& inventory) {
  std::map<std::string, OrderedJson> hosts;
  for (std::size_t rank = 0; rank < inventory.size(); ++rank) {
    const comm::InventoryEntry& entry = inventory[rank];
    const auto [host, is_new] = hosts.try_emplace(entry.host);
    if (is_new) host->second = {{"host", entry.host}, {"ranks", OrderedJson::array()}};
    host->second["ranks"].push_back(rank);
    host->second["cores"] = entry.cores.n;
  }
  OrderedJson list = OrderedJson::array();
  for (auto& [name, host] : hosts) list.push_back(std::move(host));
  return list;
}

OrderedJson program_of(const RunResult& result) {
  const comm::Program& program = result.inventory.front().program;
  return {{"version", program.version},
          {"git", result.provenance.origin.git},
          {"build", to_hex(program.build)},
          {"libraries", libraries_json(program.libraries)}};
}

OrderedJson experiment_of(const Provenance& provenance) {
  return {{"name", provenance.name},
          {"dataset", provenance.dataset},
          {"model", OrderedJson::parse(provenance.model)},
          {"seed", provenance.seed},
          {"configuration", to_hex(provenance.configuration)}};
}

OrderedJson times_of(const RunResult& result) {
  const RunTimes& times = result.provenance.times;
  return {{"started", time_text(times.started)},
          {"ended", time_text(times.ended)},
          {"training_s", times.training_s},
          {"from_generation", result.start}};
}

}  // namespace

std::size_t best_of(std::span<const comm::CellResult> cells) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (is_better(cells[i].score, cells[i].cell, cells[best].score, cells[best].cell)) best = i;
  }
  return best;
}

std::uint64_t fingerprint_of(std::span<const comm::CellResult> cells) {
  Hasher hasher;
  for (const comm::CellResult& cell : cells) hasher.value(cell.fingerprint);
  return hasher.digest();
}

std::string summary(const RunResult& result) {
  const comm::CellResult& best = result.cells[best_of(result.cells)];
  return fmt::format(
      "best cell ({}, {}): {} {:.4g} (lower is better; real samples among themselves {:.4g})",
      result.torus.row(best.cell), result.torus.column(best.cell), result.scoring.metric,
      best.score, result.scoring.floor);
}

std::string best_generation_text(const RunResult& result) {
  const RunResult::Scoring& scoring = result.scoring;
  if (!scoring.best || scoring.best->generation == result.generations) return {};
  const std::string text = fmt::format(
      "the best generation was {} of {}: {} {:.4g} of {} samples; ", scoring.best->generation,
      result.generations, scoring.metric, scoring.best->score, scoring.best_n_samples);
  return text + (scoring.has_best_mixture ? "its mixture is in mixture-best/"
                                          : "its mixture was lost with a worker or a stop");
}

// The best of all generations, of fewer samples than the final scores.
OrderedJson best_generation_of(const RunResult& result) {
  if (!result.scoring.best) return nullptr;
  const auto& [generation, cell, score, keeper] = *result.scoring.best;
  return {{"value", score},
          {"n_samples", result.scoring.best_n_samples},
          {"generation", generation},
          {"row", result.torus.row(cell)},
          {"col", result.torus.column(cell)},
          {"mixture",
           result.scoring.has_best_mixture ? OrderedJson("mixture-best") : OrderedJson(nullptr)}};
}

std::string result_json(const RunResult& result) {
  const comm::CellResult& best = result.cells[best_of(result.cells)];
  OrderedJson cells = OrderedJson::array();
  for (const comm::CellResult& cell : result.cells) cells.push_back(cell_of(result.torus, cell));
  const OrderedJson json{{"fingerprint", to_hex(fingerprint_of(result.cells))},
                         {"numerics", result.numerics},
                         {"engine", result.engine},
                         {"grid", {{"rows", result.torus.rows}, {"columns", result.torus.columns}}},
                         {"generations", result.generations},
                         {"best_cell", place_of(result.torus, best.cell)},
                         {"score",
                          {{"metric", result.scoring.metric},
                           {"judge", to_hex(result.scoring.judge)},
                           {"value", best.score},
                           {"n_samples", result.scoring.n_samples},
                           {"floor", result.scoring.floor},
                           {"floor_n_samples", result.scoring.floor_n_samples},
                           {"best", best_generation_of(result)}}},
                         {"cells", std::move(cells)},
                         {"experiment", experiment_of(result.provenance)},
                         {"command", result.provenance.origin.command},
                         {"times", times_of(result)},
                         {"program", program_of(result)},
                         {"hosts", hosts_of(result.inventory)},
                         {"profile", profile_of(result)},
                         {"traffic", traffic_of(result)},
                         {"inventory", inventory_of(result)}};
  return json.dump(2) + "\n";
}

}  // namespace lipizz::master
