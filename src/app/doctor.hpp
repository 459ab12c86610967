#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::app {

/// One line of `lipizz doctor`.
struct Finding {
  enum class Verdict {
    kOk,
    kNote,     // worth knowing; runs go on all the same
    kProblem,  // would stop a run
  };

  std::string subject;  // `MPI`
  Verdict verdict = Verdict::kOk;
  std::string text;    // what was found
  std::string advice;  // what to do; empty: nothing
};

Finding ok(std::string subject, std::string text);
Finding note(std::string subject, std::string text, std::string advice = {});
Finding problem(std::string subject, std::string text, std::string advice);

/// The findings in columns, wrapped at 80 characters, with the advice below each.
std::string report_of(std::span<const Finding> findings);

/// `2 problems, 1 note: ...`, the last line.
std::string conclusion_of(std::span<const Finding> findings);

bool has_problem(std::span<const Finding> findings);

/// `1.5 GiB`, as people read sizes.
std::string size_text(double n_bytes);

}  // namespace lipizz::app
