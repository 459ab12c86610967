#include "app/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "core/text.hpp"

namespace lipizz::app {
namespace {

using Verdict = Finding::Verdict;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kVerdictWidth = 9;  // `problem` and a gap

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kNote:
      return "note";
    case Verdict::kProblem:
      return "problem";
  }
  return "";
}

std::size_t count(std::span<const Finding> findings, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(findings, verdict, &Finding::verdict));
}

// Lines of at most so many characters; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

Finding ok(std::string subject, std::string text) {
  return {std::move(subject), Verdict::kOk, std::move(text), {}};
}

Finding note(std::string subject, std::string text, std::string advice) {
  return {std::move(subject), Verdict::kNote, std::move(text), std::move(advice)};
}

Finding problem(std::string subject, std::string text, std::string advice) {
  return {std::move(subject), Verdict::kProblem, std::move(text), std::move(advice)};
}

std::string report_of(std::span<const Finding> findings) {
  std::size_t subject_width = 0;
  for (const Finding& each : findings) {
    subject_width = std::max(subject_width, each.subject.size() + 2);
  }
  const std::size_t indent = subject_width + kVerdictWidth;
  std::string report;
  for (const Finding& each : findings) {
    std::vector<std::string> lines = wrapped(each.text, kWidth - indent);
    if (!each.advice.empty()) append(lines, wrapped("-> " + each.advice, kWidth - indent));
    report += fmt::format("{:<{}}{:<{}}", each.subject, subject_width, name_of(each.verdict),
                          kVerdictWidth);
    report += join(lines, "\n" + std::string(indent, ' ')) + "\n";
  }
  return report;
}

std::string conclusion_of(std::span<const Finding> findings) {
  const std::size_t n_notes = count(findings, Verdict::kNote);
  const std::string notes = n_notes == 0 ? "" : ", " + counted(n_notes, "note");
  if (!has_problem(findings)) return "No problem" + notes + ".\n";
  return counted(count(findings, Verdict::kProblem), "problem") + notes +
         ": what is marked problem would stop a run.\n";
}

bool has_problem(std::span<const Finding> findings) {
  return count(findings, Verdict::kProblem) > 0;
}

std::string size_text(double n_bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; n_bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) n_bytes /= 1024;
  return fmt::format("{:.3g} {}", n_bytes, kUnits.at(unit));
}

}  // namespace lipizz::app
