#include "master/divergence.hpp"

#include <fmt/format.h>

#include <string>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::master {
namespace {

std::string remedy(const config::Experiment& experiment) {
  return fmt::format(
      "lower generator.learning_rate ({}) and discriminator.learning_rate ({}), and begin another "
      "run",
      number_text(experiment.generator.learning_rate),
      number_text(experiment.discriminator.learning_rate));
}

}  // namespace

void Divergence::add(Generation generation, bool is_everywhere) {
  n_in_a_row_ = is_everywhere ? n_in_a_row_ + 1 : 0;
  const bool is_all_there_was =
      generation == experiment_.generations && n_in_a_row_ == experiment_.generations;
  if (n_in_a_row_ < kPatience && !is_all_there_was) return;
  throw NumericError(fmt::format(
      "the training of every cell went NaN or infinite in generations {} to {}, and nothing was "
      "learnt; {}",
      generation - n_in_a_row_ + 1, generation, remedy(experiment_)));
}

void Divergence::refuse_without_score() const {
  throw NumericError(
      "no cell has a score at the end, since every mixture made samples that are not finite; " +
      remedy(experiment_));
}

}  // namespace lipizz::master
