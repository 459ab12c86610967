#include "report/report_data.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "report/findings.hpp"
#include "report/series_text.hpp"
#include "report/timeline.hpp"

namespace lipizz::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kLargestPage = 4'800'000;  // bytes; what is left of it is for sheets
constexpr std::size_t kPageItself = 350'000;     // Chart.js and our own scripts
constexpr std::size_t kMostRows = 64;            // of ranks, or of cells, in one chart
constexpr std::size_t kMostMarks = 300;
constexpr std::size_t kMostListed = 1024;  // in the table

OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

std::string dumped(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string place(const grid::Torus& torus, CellId cell) {
  return '(' + std::to_string(torus.row(cell)) + ", " + std::to_string(torus.column(cell)) + ')';
}

OrderedJson run_of(const RunRecord& run) {
  const RunConfiguration& configuration = run.configuration;
  OrderedJson json{
      {"folder", run.folder.filename().empty() ? run.folder.parent_path().filename().string()
                                               : run.folder.filename().string()},
      {"name", configuration.name},
      {"dataset", configuration.dataset},
      {"model", run.result ? run.result->model : configuration.model},
      {"seed", configuration.seed},
      {"rows", configuration.torus.rows},
      {"columns", configuration.torus.columns},
      {"planned", configuration.generations},
      {"done", run.history.generations()},
      {"is_finished", run.result.has_value()},
      {"is_asynchronous", configuration.is_asynchronous},
      {"recombination", configuration.recombination},
      {"score_every", configuration.score_every},
      {"metric", metric_of(run)},
      {"floor", number(floor_of(run))},
      {"n_samples_training", configuration.n_samples_training}};
  if (run.result) {
    json["final"] = {{"score", number(run.result->score.value)},
                     {"cell", run.result->best_cell.value},
                     {"n_samples", run.result->score.n_samples}};
    json["fingerprint"] = run.result->fingerprint;
    json["training_s"] = number(run.result->training_s);
    json["from_generation"] = run.result->from_generation;
  }
  return json;
}

OrderedJson findings_json(const RunRecord& run) {
  constexpr std::array kNames{"warning", "info", "good"};
  OrderedJson list = OrderedJson::array();
  for (const Finding& finding : findings_of(run)) {
    list.push_back({{"kind", kNames.at(static_cast<std::size_t>(finding.kind))},
                    {"text", finding.text},
                    {"advice", finding.advice}});
  }
  return list;
}

OrderedJson best_json(const std::optional<BestGeneration>& best) {
  if (!best) return nullptr;
  return {{"generation", best->generation}, {"cell", best->cell.value}, {"score", best->score}};
}

OrderedJson sheet_json(const Sheet& sheet) {
  return {{"generation", sheet.generation},
          {"name", sheet.file.filename().string()},
          {"is_final", sheet.is_final},
          {"uri", data_uri(sheet)}};
}

// The sheets of the run and that of the whole grid, in so many bytes.
OrderedJson sheets_json(const RunRecord& run, Generation best, std::size_t n_bytes) {
  std::vector<Sheet> all = run.sheets;
  SheetLimits limits{.n_sheets = 40, .n_bytes = n_bytes};
  OrderedJson json{{"list", OrderedJson::array()}, {"grid", nullptr}, {"n_all", all.size()}};
  if (run.grid_sheet && 4 * run.grid_sheet->n_bytes < limits.n_bytes) {
    json["grid"] = sheet_json(*run.grid_sheet);
    limits.n_bytes -= json["grid"]["uri"].get_ref<const std::string&>().size();
    --limits.n_sheets;
  }
  for (const Sheet& sheet : chosen_sheets(std::move(all), best, limits)) {
    OrderedJson one = sheet_json(sheet);
    if (!one["uri"].get_ref<const std::string&>().empty()) json["list"].push_back(std::move(one));
  }
  return json;
}

OrderedJson seconds_json(const std::vector<Named>& seconds) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [routine, value] : seconds) json[routine] = number(value);
  return json;
}

// For neighbours and, where that is told, for helpers.
double waited_s(const ResultDetails::RankTime& time) {
  return time.waited_s + (std::isnan(time.helpers_s) ? 0 : time.helpers_s);
}

// Where the run has finished, of ranks; else of cells, as lines of metrics tell.
OrderedJson times_json(const RunRecord& run) {
  OrderedJson list = OrderedJson::array();
  if (run.details && !run.details->times.empty()) {
    std::vector<ResultDetails::RankTime> times = run.details->times;
    std::ranges::stable_sort(times, std::greater(), waited_s);
    times.resize(std::min(times.size(), kMostRows));
    std::ranges::sort(times, {}, &ResultDetails::RankTime::rank);
    for (const auto& time : times) {
      list.push_back({{"name", "rank " + std::to_string(time.rank.value)},
                      {"host", time.host},
                      {"n_cells", time.n_cells},
                      {"waited_s", number(time.waited_s)},
                      {"helpers_s", number(time.helpers_s)},
                      {"total_s", number(time.total_s)},
                      {"seconds", seconds_json(time.cpu_s)}});
    }
    return {{"of", "rank"}, {"n_all", run.details->times.size()}, {"list", std::move(list)}};
  }
  const std::uint32_t n_cells = run.history.torus().cells();
  for (std::uint32_t cell = 0; cell < std::min<std::uint32_t>(n_cells, kMostRows); ++cell) {
    std::vector<Named> seconds;
    double waited_s = 0;
    for (const auto& [routine, value] : run.history.cell({cell}).seconds) {
      if (routine == "gather") {
        waited_s = value;
      } else if (routine != "total") {
        seconds.push_back({routine, value});
      }
    }
    if (seconds.empty()) continue;
    list.push_back({{"name", place(run.history.torus(), {cell})},
                    {"waited_s", waited_s},
                    {"seconds", seconds_json(seconds)}});
  }
  return {{"of", "cell"}, {"n_all", n_cells}, {"list", std::move(list)}};
}

OrderedJson traffic_json(const RunRecord& run) {
  OrderedJson list = OrderedJson::array();
  if (!run.details) return list;
  for (const auto& one : run.details->traffic) {
    list.push_back({{"name", one.name},
                    {"messages", one.messages},
                    {"bytes", one.bytes},
                    {"each", number(one.bytes_per_cell_and_generation)}});
  }
  return list;
}

OrderedJson row_json(const Timeline::Row& row) {
  constexpr std::array kStates{"spare", "working", "helping", "late", "lost"};
  OrderedJson spans = OrderedJson::array();
  for (const Timeline::Span& span : row.spans) {
    spans.push_back(
        {kStates.at(static_cast<std::size_t>(span.state)), span.begin_s, span.end_s, span.n_cells});
  }
  return {{"rank", row.rank.value}, {"host", row.host}, {"spans", std::move(spans)}};
}

// The ranks that a mark is about come first when there are too many.
std::vector<Timeline::Row> shown_rows(const Timeline& timeline) {
  std::set<Rank> told;
  for (const Timeline::Mark& mark : timeline.marks) told.insert(mark.rank);
  std::vector<Timeline::Row> rows = timeline.rows;
  std::ranges::stable_partition(rows, [&](const auto& row) { return told.contains(row.rank); });
  rows.resize(std::min(rows.size(), kMostRows));
  std::ranges::sort(rows, {}, &Timeline::Row::rank);
  return rows;
}

OrderedJson timeline_json(const Timeline& timeline) {
  OrderedJson json{{"rows", OrderedJson::array()},  {"n_all", timeline.rows.size()},
                   {"marks", OrderedJson::array()}, {"n_marks", timeline.marks.size()},
                   {"n_starts", timeline.n_starts}, {"n_saved", timeline.n_saved},
                   {"end_s", timeline.end_s}};
  for (const Timeline::Row& row : shown_rows(timeline)) json["rows"].push_back(row_json(row));
  for (const Timeline::Mark& mark : timeline.marks) {
    if (json["marks"].size() == kMostMarks) break;
    json["marks"].push_back({{"kind", name_of(mark.kind)},
                             {"at_s", mark.at_s},
                             {"rank", mark.rank.value},
                             {"text", mark.text}});
  }
  return json;
}

OrderedJson network_json(const MetricsLine::Network& network) {
  return {{"loss", number(network.loss)},
          {"rate", number(network.rate)},
          {"objective", network.objective}};
}

OrderedJson cells_json(const RunRecord& run) {
  OrderedJson list = OrderedJson::array();
  const std::uint32_t n_cells = run.history.torus().cells();
  for (std::uint32_t cell = 0; cell < n_cells && list.size() < kMostListed; ++cell) {
    OrderedJson json{{"cell", cell}};
    const History::Cell& told = run.history.cell({cell});
    if (const auto& newest = told.newest) {
      json["score"] = nullptr;
      json["generation"] = newest->generation;
      json["generator"] = network_json(newest->generator);
      json["discriminator"] = network_json(newest->discriminator);
      json["details"] = OrderedJson::object();
    }
    if (const auto& scored = told.newest_scored) {
      json["score"] = number(scored->score);
      json["scored"] = scored->generation;
      json["details"] = seconds_json(scored->details);
      for (const double share : scored->class_shares) json["shares"].push_back(number(share));
    }
    if (run.details && cell < run.details->cells.size()) {
      json["final"] = number(run.details->cells[cell].score);
      json["fingerprint"] = run.details->cells[cell].fingerprint;
    }
    list.push_back(std::move(json));
  }
  return list;
}

OrderedJson origin_json(const RunRecord& run) {
  OrderedJson list = OrderedJson::array();
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) list.push_back({what, text});
  };
  add("folder", run.folder.string());
  if (run.result) {
    add("fingerprint", run.result->fingerprint);
    add("numerics level", run.result->numerics);
    add("judge", run.result->score.judge);
    add("configuration", run.result->configuration);
  }
  if (!run.details) return list;
  const ResultDetails& details = *run.details;
  add("engine", details.engine);
  add("started", details.started);
  add("ended", details.ended);
  add("command", join(details.command, " "));
  add("lipizz", details.version + (details.git.empty() ? "" : ", " + details.git));
  add("hosts", join(std::span(details.hosts).first(std::min(details.hosts.size(), kMostRows))));
  add("libraries", join(details.libraries));
  return list;
}

}  // namespace

std::string report_data(const RunRecord& run, const HistoryLimits& limits) {
  const History& history = run.history;
  const std::optional<BestGeneration> best = best_generation(history);
  const Generation best_at = best ? best->generation : 0;
  const std::vector<Generation> frames = frames_of(history, best_at, limits);
  const auto cells = cells_with_series(history, best ? best->cell : CellId{0}, limits);
  const Timeline timeline = timeline_of(run.events, history.generations());
  std::string text = "{";
  const auto add = [&](const char* key, const std::string& value) {
    text += (text.size() > 1 ? ",\"" : "\"") + std::string(key) + "\":" + value;
  };
  add("run", dumped(run_of(run)));
  add("findings", dumped(findings_json(run)));
  add("best", dumped(best_json(best)));
  add("series", series_data(history, cells, limits));
  add("frames", frames_data(history, frames));
  add("lineage",
      "{\"generator\":" + lineage_data(history, NetworkRole::kGenerator, frames, cells, limits) +
          ",\"discriminator\":" +
          lineage_data(history, NetworkRole::kDiscriminator, frames, cells, limits) + '}');
  add("times", dumped(times_json(run)));
  add("traffic", dumped(traffic_json(run)));
  add("timeline", dumped(timeline_json(timeline)));
  add("pace", series_text(seconds_per_generation(timeline), limits.n_points));
  add("cells", dumped(cells_json(run)));
  add("configuration", run.configuration.text);
  add("origin", dumped(origin_json(run)));
  const std::size_t n_used = text.size() + kPageItself;
  add("sheets", dumped(sheets_json(run, best_at, kLargestPage - std::min(n_used, kLargestPage))));
  return text + '}';
}

}  // namespace lipizz::report
