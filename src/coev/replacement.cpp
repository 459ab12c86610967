#include "coev/replacement.hpp"

#include <array>

#include "coev/replacement/elitist.hpp"
#include "coev/replacement/generational.hpp"

namespace lipizz::coev {

std::span<const Replacement* const> replacements() {
  static constexpr std::array kReplacements{&kElitistReplacement, &kGenerationalReplacement};
  return kReplacements;
}

}  // namespace lipizz::coev
