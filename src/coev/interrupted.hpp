#pragma once

namespace lipizz::coev {

/// Thrown by whoever trains when `keep_going` returned false. It is no error: the caller asked for
/// it. The clients of Schmiedlechner et al. 2018 also check for a stop once a batch; the exception
/// is ours.
struct Interrupted {};

}  // namespace lipizz::coev
