#pragma once

#include <string>
#include <vector>

#include "sweep/figures.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"

namespace lipizz::sweep {

/// A table of text: a line for each row, the widest column first cut where lines would be longer
/// than a terminal's 80 columns (report::cut_to_fit). Columns of numbers are flush right.
std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

/// RFC 4180: commas, a header, texts in quotes where they need it; what is not a number is empty.
std::string csv(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows);

/// The text with the characters that LaTeX gives a meaning escaped.
std::string latex_text(std::string_view text);

/// A figure for programs: the shortest text that is this number; empty where it is not finite.
std::string exact_figure(double number);

/// A score for people, four digits; `-` for NaN.
std::string figure_text(double number);

/// The rows for people, at most so many of each kind, and what is left out.
std::string figures_text(const Plan& plan, const Figures& figures, std::size_t n_most);
/// A bar for each value of each axis.
std::string axes_text(const Plan& plan, const Figures& figures);

/// The rows: settings by their paths, `n`, `mean`, `standard_error`, `generations`, `training_s`,
/// and the score's kind.
std::string figures_csv(const Plan& plan, const Figures& figures);
/// Every run with its settings, state and, where it has a result, the score: all that other
/// programs need to compute anything else.
std::string runs_csv(const Plan& plan, const Progress& progress);
/// A tabular of the rows for each kind of score, mean and standard error in one column.
std::string figures_latex(const Plan& plan, const Figures& figures);

}  // namespace lipizz::sweep
