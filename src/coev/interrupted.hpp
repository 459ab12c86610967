#pragma once

namespace lipizz::coev {

/// Thrown by whoever trains when `keep_going` said no. It is no error: the caller asked for it.
/// Ours; the originals' clients are killed between batches (Schmiedlechner et al. 2018).
struct Interrupted {};

}  // namespace lipizz::coev
