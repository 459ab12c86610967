#include "sweep/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "report/text_table.hpp"

namespace lipizz::sweep {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kTerminal = 80;
constexpr std::size_t kBar = 24;

bool is_number(const std::string& cell) {
  return cell == "-" || parse_number<double>(cell).has_value();
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

std::string csv_line(const Cells& cells) {
  Cells all;
  for (const std::string& cell : cells) all.push_back(quoted(cell));
  return join(all, ",") + "\r\n";
}

const Cells& values_of(const Plan& plan, const Row& row) {
  return plan.combinations()[row.combination].values;
}

std::vector<const Row*> rows_of(const Figures& figures, const ScoreKind& kind) {
  std::vector<const Row*> rows;
  for (const Row& row : figures.rows) {
    if (row.kind == kind) rows.push_back(&row);
  }
  return rows;
}

std::string bar_of(double value, double most) {
  if (!std::isfinite(value) || !(most > 0)) return {};
  return std::string(static_cast<std::size_t>(std::lround(kBar * value / most)), '#');
}

}  // namespace

std::string text_table(const Cells& header, const std::vector<Cells>& rows) {
  std::vector<report::TextColumn> columns;
  for (std::size_t c = 0; c < header.size(); ++c) {
    report::TextColumn column{.title = header[c], .cells = {}, .is_number = !rows.empty()};
    for (const Cells& row : rows) {
      column.cells.push_back(row[c]);
      column.is_number = column.is_number && is_number(row[c]);
    }
    columns.push_back(std::move(column));
  }
  report::cut_to_fit(columns, kTerminal);
  return report::text_table(columns, kTerminal);
}

std::string csv(const Cells& header, const std::vector<Cells>& rows) {
  std::string text = csv_line(header);
  for (const Cells& row : rows) text += csv_line(row);
  return text;
}

std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      escaped += std::string("\\") + c + "{}";
    } else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
      escaped += std::string("\\") + c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string exact_figure(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : std::string();
}

std::string figure_text(double number) {
  return std::isfinite(number) ? fmt::format("{:.4g}", number) : "-";
}

std::string figures_text(const Plan& plan, const Figures& figures, std::size_t n_most) {
  std::string text;
  for (const ScoreKind& kind : figures.kinds) {
    Cells header = plan.short_names();
    append(header, {"seeds", "mean", "s.e.", "generations", "seconds"});
    std::vector<Cells> rows;
    const std::vector<const Row*> all = rows_of(figures, kind);
    for (const Row* row : all) {
      if (rows.size() == n_most) break;
      rows.push_back(values_of(plan, *row));
      append(rows.back(), {std::to_string(row->score.n), figure_text(row->score.mean),
                           figure_text(row->score.standard_error), std::to_string(row->generations),
                           figure_text(row->training_s.mean)});
    }
    text += described(kind) + "\n" + text_table(header, rows);
    if (all.size() > n_most) text += fmt::format("... and {} more\n", all.size() - n_most);
  }
  return text + "mean: of the score over the seeds, lower is better; s.e.: its standard error\n";
}

std::string axes_text(const Plan& plan, const Figures& figures) {
  std::string text;
  for (const ScoreKind& kind : figures.kinds) {
    for (std::size_t axis = 0; axis < plan.settings().size(); ++axis) {
      const std::vector<AxisPoint> points = along_axis(plan, figures, kind, axis);
      double most = 0;
      for (const AxisPoint& point : points) {
        if (point.mean.mean > most) most = point.mean.mean;
      }
      std::vector<Cells> rows;
      for (const AxisPoint& point : points) {
        if (point.means.empty()) continue;
        rows.push_back({point.value, std::to_string(point.mean.n), figure_text(point.mean.mean),
                        figure_text(*std::ranges::min_element(point.means)),
                        bar_of(point.mean.mean, most)});
      }
      if (rows.size() < 2) continue;
      text += "\n" + text_table({plan.settings()[axis], "combinations", "mean", "best", ""}, rows);
    }
  }
  return text;
}

std::string figures_csv(const Plan& plan, const Figures& figures) {
  Cells header = plan.settings();
  append(header, {"n", "mean", "standard_error", "generations", "training_s", "floor", "metric",
                  "judge", "n_samples", "numerics"});
  std::vector<Cells> rows;
  for (const Row& row : figures.rows) {
    rows.push_back(values_of(plan, row));
    append(rows.back(),
           {std::to_string(row.score.n), exact_figure(row.score.mean),
            exact_figure(row.score.standard_error), std::to_string(row.generations),
            exact_figure(row.training_s.mean), exact_figure(row.floor), row.kind.metric,
            row.kind.judge, std::to_string(row.kind.n_samples), row.kind.numerics});
  }
  return csv(header, rows);
}

std::string runs_csv(const Plan& plan, const Progress& progress) {
  Cells header = plan.settings();
  append(header, {"seed", "state", "score", "generations", "training_s", "floor", "metric", "judge",
                  "n_samples", "numerics", "fingerprint", "folder"});
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const PlannedRun& run = plan.runs()[i];
    rows.push_back(plan.combinations()[run.combination].values);
    append(rows.back(), {std::to_string(run.seed), name_of(progress.runs[i].state)});
    if (const report::FinishedRun* result = progress.runs[i].result()) {
      append(rows.back(),
             {exact_figure(result->score.value), std::to_string(result->generations),
              exact_figure(result->training_s), exact_figure(result->score.floor),
              result->score.metric, result->score.judge, std::to_string(result->score.n_samples),
              result->numerics, result->fingerprint});
    } else {
      append(rows.back(), Cells(9));
    }
    rows.back().push_back(progress.runs[i].folder.filename().string());
  }
  return csv(header, rows);
}

std::string figures_latex(const Plan& plan, const Figures& figures) {
  std::string text;
  for (const ScoreKind& kind : figures.kinds) {
    text += "% " + described(kind) + "; lower is better\n\\begin{tabular}{" +
            std::string(plan.settings().size(), 'l') + "rr}\n\\hline\n";
    for (const std::string& name : plan.short_names()) text += latex_text(name) + " & ";
    text += "seeds & score \\\\\n\\hline\n";
    for (const Row* row : rows_of(figures, kind)) {
      for (const std::string& value : values_of(plan, *row)) text += latex_text(value) + " & ";
      text += fmt::format("{} & ${}", row->score.n, figure_text(row->score.mean));
      const bool has_error = std::isfinite(row->score.standard_error);
      if (has_error) text += fmt::format(" \\pm {:.2g}", row->score.standard_error);
      text += "$ \\\\\n";
    }
    text += "\\hline\n\\end{tabular}\n";
  }
  return text;
}

}  // namespace lipizz::sweep
