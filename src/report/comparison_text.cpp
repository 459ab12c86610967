#include "report/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "report/text_table.hpp"

namespace lipizz::report {
namespace {

constexpr std::size_t kLongestValue = 40;
const std::string kNone = "-";

std::string figure(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : kNone;
}

std::string cut(const std::string& text) {
  return text.size() <= kLongestValue ? text : text.substr(0, kLongestValue - 3) + "...";
}

// The first of them where they are many.
std::string numbers_of(const std::vector<std::size_t>& places) {
  constexpr std::size_t kMostNumbers = 8;
  std::vector<std::string> numbers;
  for (const std::size_t place : places) {
    numbers.push_back(numbers.size() < kMostNumbers ? std::to_string(place + 1) : "...");
    if (numbers.size() > kMostNumbers) break;
  }
  return join(numbers, " ");
}

using Cell = std::function<std::string(const ComparedRun&)>;
using ResultCell = std::function<std::string(const FinishedRun&)>;

Cell of_result(ResultCell cell) {
  return [cell = std::move(cell)](const ComparedRun& run) {
    return run.result ? cell(*run.result) : kNone;
  };
}

/// A table of runs that is being put together.
class RunTable {
 public:
  explicit RunTable(const Comparison& comparison) : comparison_(comparison) {}

  void add(std::string title, const Cell& cell, bool is_number = true) {
    TextColumn column{std::move(title), {}, is_number};
    for (const ComparedRun& run : comparison_.runs) column.cells.push_back(cell(run));
    columns_.push_back(std::move(column));
  }
  void add_numbers() {
    std::size_t n = 0;
    add("no", [&](const ComparedRun&) { return std::to_string(++n); });
  }
  // A column where runs differ; where they do not, a word about all of them.
  void add_or_tell(const std::string& title, const Cell& cell, std::vector<std::string>& told) {
    std::set<std::string> values;
    for (const ComparedRun& run : comparison_.runs) values.insert(cell(run));
    values.erase(kNone);
    if (values.size() > 1) add(title, cell);
    if (values.size() == 1) told.push_back(title + " " + *values.begin());
  }
  void add(const SettingDifference& difference) {
    TextColumn column{difference.path, {}, false};
    for (const std::string& value : difference.values) {
      column.cells.push_back(value.empty() ? kNone : cut(value));
    }
    columns_.push_back(std::move(column));
  }
  [[nodiscard]] const std::vector<TextColumn>& columns() const { return columns_; }

 private:
  const Comparison& comparison_;
  std::vector<TextColumn> columns_;
};

std::string generations_text(const ComparedRun& run) {
  return run.result ? std::to_string(run.result->generations)
                    : fmt::format("{} of {}", run.reached, run.experiment.generations);
}

// A run that was resumed knows only what its last start took.
std::string seconds_text(const FinishedRun& run) {
  return fmt::format("{:.1f}{}", run.training_s, run.from_generation > 0 ? "+" : "");
}

void add_best(RunTable& table, const Comparison& comparison) {
  const bool is_kept = std::ranges::any_of(
      comparison.runs, [](const ComparedRun& run) { return run.result && run.result->best; });
  if (!is_kept) return;
  table.add("best", of_result([](const FinishedRun& run) {
              return run.best ? figure(run.best->value) : kNone;
            }));
  table.add("at", of_result([](const FinishedRun& run) {
              return run.best ? std::to_string(run.best->generation) : kNone;
            }));
}

void add_against(RunTable& table, const Comparison& comparison) {
  if (!comparison.against) return;
  const double reference = comparison.runs[*comparison.against].result->score.value;
  table.add("difference", of_result([=](const FinishedRun& run) {
              const double difference = run.score.value - reference;
              return std::isfinite(difference) ? fmt::format("{:+.4g}", difference) : kNone;
            }));
  table.add("ratio", of_result([=](const FinishedRun& run) {
              const double ratio = run.score.value / reference;
              return std::isfinite(ratio) ? fmt::format("{:.4g}", ratio) : kNone;
            }));
}

std::string run_table(const Comparison& comparison, std::size_t width,
                      std::vector<std::string>& told) {
  const bool share_parent = !common_parent(comparison).empty();
  RunTable table(comparison);
  table.add_numbers();
  table.add("score", of_result([](const FinishedRun& run) { return figure(run.score.value); }));
  add_against(table, comparison);
  add_best(table, comparison);
  table.add("generations", generations_text);
  table.add("seconds", of_result(seconds_text));
  table.add(
      "run",
      [&](const ComparedRun& run) {
        return share_parent ? run.folder.filename().string() : run.folder.string();
      },
      false);
  table.add_or_tell(
      "floor", of_result([](const FinishedRun& run) { return figure(run.score.floor); }), told);
  table.add_or_tell(
      "samples",
      of_result([](const FinishedRun& run) { return std::to_string(run.score.n_samples); }), told);
  table.add_or_tell("grid", grid_text, told);
  table.add_or_tell("numerics", of_result([](const FinishedRun& run) { return run.numerics; }),
                    told);
  table.add("fingerprint", of_result([](const FinishedRun& run) { return run.fingerprint; }));
  for (const SettingDifference& difference : comparison.differences) table.add(difference);
  return text_table(table.columns(), width);
}

std::string group_table(const Comparison& comparison, std::size_t width) {
  TextColumn runs{"runs", {}};
  TextColumn n{"n", {}, true};
  TextColumn mean{"mean", {}, true};
  TextColumn error{"std. error", {}, true};
  for (const Comparison::Group& group : comparison.groups) {
    runs.cells.push_back(numbers_of(group.runs));
    n.cells.push_back(std::to_string(group.scores.n));
    mean.cells.push_back(figure(group.scores.mean));
    error.cells.push_back(figure(group.scores.standard_error));
  }
  std::vector<TextColumn> columns{runs, n, mean, error};
  for (const SettingDifference& difference : group_differences(comparison)) {
    TextColumn column{difference.path, {}};
    for (const std::string& value : difference.values) {
      column.cells.push_back(value.empty() ? kNone : cut(value));
    }
    columns.push_back(std::move(column));
  }
  return text_table(columns, width);
}

std::string head(const Comparison& comparison, const std::vector<std::string>& told) {
  std::string text = counted(comparison.runs.size(), "run");
  if (const std::string parent = common_parent(comparison); !parent.empty()) {
    text += " in " + parent;
  }
  const std::size_t n_others = comparison.runs.size() - comparison.n_finished;
  if (n_others > 0) text += fmt::format(", {} of them not finished", n_others);
  if (comparison.n_finished > 0) {
    const FinishedRun::Score& score = comparison.runs.front().result->score;
    text += "\n" + score.metric + ", lower is better; judge " + score.judge;
  }
  return text + (told.empty() ? "" : "\n" + join(told)) + "\n\n";
}

std::string same_as_reference(const Comparison& comparison) {
  const std::vector<std::size_t> same = equals_of_reference(comparison);
  std::string text = fmt::format("differences and ratios are to no {}", *comparison.against + 1);
  if (!same.empty()) {
    text += "; equal fingerprints, so the same result to the last bit: " + numbers_of(same);
  }
  return text;
}

std::vector<std::string> notes_on(const Comparison& comparison) {
  std::vector<std::string> notes;
  std::set<std::uint32_t> n_samples;
  bool is_any_resumed = false;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.result) continue;
    n_samples.insert(run.result->score.n_samples);
    is_any_resumed = is_any_resumed || run.result->from_generation > 0;
  }
  if (comparison.against) notes.push_back(same_as_reference(comparison));
  if (n_samples.size() > 1) {
    notes.emplace_back(
        "these scores were taken over different numbers of samples, which shifts them");
  }
  if (is_any_resumed) notes.emplace_back("+: since the last resume alone");
  return notes;
}

}  // namespace

std::string grid_text(const ComparedRun& run) {
  return fmt::format("{}x{}", run.experiment.grid.rows, run.experiment.grid.columns);
}

std::string common_parent(const Comparison& comparison) {
  std::set<std::string> parents;
  for (const ComparedRun& run : comparison.runs) {
    parents.insert(run.folder.parent_path().string());
  }
  return comparison.runs.size() > 1 && parents.size() == 1 ? *parents.begin() : std::string();
}

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::vector<std::string> told;
  const std::string table = run_table(comparison, width, told);
  std::string text = head(comparison, told) + table;
  if (!comparison.groups.empty()) {
    text += "\nruns that differ in the seed alone\n" + group_table(comparison, width);
  }
  const std::vector<std::string> notes = notes_on(comparison);
  return text + (notes.empty() ? "" : "\n" + join(notes, "\n") + "\n");
}

}  // namespace lipizz::report
