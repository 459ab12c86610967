#include "sweep/score_kind.hpp"

#include <fmt/format.h>

namespace lipizz::sweep {

std::string described(const ScoreKind& kind) {
  return fmt::format("{} (judge {}, {} samples, numerics {})", kind.metric, kind.judge,
                     kind.n_samples, kind.numerics);
}

}  // namespace lipizz::sweep
