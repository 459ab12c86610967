#include "app/doctor_place.hpp"

#include <fmt/format.h>

#include "report/duration_text.hpp"

namespace lipizz::app {
namespace {

using Colours = report::TerminalStyle::Colours;

const char* name_of(Colours colours) {
  switch (colours) {
    case Colours::kNone:
      return "no colours";
    case Colours::k256:
      return "256 colours";
    case Colours::kTrue:
      return "all colours";
  }
  return "";
}

}  // namespace

Finding check_scheduler(const std::function<std::string(const std::string&)>& variable,
                        std::optional<double> time_left_s) {
  const std::string subject = "scheduler";
  const std::string job = variable("SLURM_JOB_ID");
  if (!job.empty()) {
    std::string text = "Slurm job " + job;
    if (!variable("SLURM_NTASKS").empty()) text += ", tasks " + variable("SLURM_NTASKS");
    if (!variable("SLURM_JOB_NODELIST").empty()) text += ", on " + variable("SLURM_JOB_NODELIST");
    if (time_left_s)
      return ok(subject, text + ", " + report::duration_text(*time_left_s) + " left");
    return note(subject, text + "; squeue does not tell the time that is left",
                "give it with --time-limit, so that a run saves itself in time");
  }
  for (const auto& [name, file] :
       {std::pair("PBS", "PBS_NODEFILE"), {"Grid Engine", "PE_HOSTFILE"}}) {
    if (variable(file).empty()) continue;
    return note(subject, std::string(name) + ", hosts in " + variable(file),
                "mpirun must be built for it, and the time be given with --time-limit; see "
                "docs/schedulers.md");
  }
  return ok(subject, "none: ranks run where mpirun is told to");
}

Finding check_terminal(const std::optional<report::TerminalStyle>& style) {
  const std::string subject = "terminal";
  if (!style)
    return ok(subject, "none that lines can be drawn over: progress comes as plain lines");
  return ok(subject,
            fmt::format("{}x{}, {}, {}", style->columns, style->rows, name_of(style->colours),
                        style->has_unicode ? "Unicode" : "ASCII (by LC_ALL, LC_CTYPE, LANG)"));
}

}  // namespace lipizz::app
