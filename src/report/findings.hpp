#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/run_record.hpp"

namespace lipizz::report {

/// Something that whoever reads a report should know first, and what to do about it.
struct Finding {
  enum class Kind : std::uint8_t { kWarning, kInfo, kGood };
  Kind kind = Kind::kInfo;
  std::string text;    // what is so
  std::string advice;  // what to do; empty: nothing
};

/// All that is to be said of a run, warnings first. docs/report.md lists them.
std::vector<Finding> findings_of(const RunRecord& run);

}  // namespace lipizz::report
