#pragma once

#include <exception>
#include <string>

#include "core/error.hpp"

namespace lipizz {

/// The reason why a process, a rank or a run ended: for whoever started it, and for people.
struct Diagnosis {
  ExitCode code = ExitCode::kInternal;
  std::string message;
};

/// How diagnoses of memory end; for who has no memory left to make one, too.
inline constexpr char kMemoryRemedy[] =
    "; use a smaller model or batch, fewer cells to a worker or fewer workers to a host, or raise "
    "the limit; --dry-run tells what a run needs and what there is";

/// An Error says it itself. Memory or threads that are refused are no bug: the run asks for more
/// than there is, which is for its configuration to change (kUsage, as where that is seen before).
/// Anything else is a bug of ours, and the message asks to report it.
Diagnosis diagnosis_of(const std::exception& error);

/// The same as an exception: the Error itself, or one with the diagnosis.
std::exception_ptr diagnosed(const std::exception_ptr& failure);

}  // namespace lipizz
