#pragma once

#include <string>

#include "core/error.hpp"

/// `LIPIZZ_ASSERT(condition)` states an invariant. Builds with assertions (preset `dev`, `asan`,
/// `tsan`) throw InternalError with the expression and its place; release builds evaluate nothing.
/// A user's mistake is never an assertion: throw the Error that names it.
#ifdef LIPIZZ_ASSERTIONS
#define LIPIZZ_ASSERT(condition)                                                           \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      throw ::lipizz::InternalError(std::string("broken invariant `" #condition "` at ") + \
                                    __FILE__ + ":" + std::to_string(__LINE__));            \
    }                                                                                      \
  } while (false)
#else
#define LIPIZZ_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#endif
