#pragma once

namespace lipizz::coev {

/// Thrown by whoever trains when `keep_going` said no. No error: the caller asked for it.
struct Interrupted {};

}  // namespace lipizz::coev
