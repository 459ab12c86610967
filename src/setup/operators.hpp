#pragma once

#include <string_view>
#include <vector>

#include "coev/operator.hpp"
#include "coev/settings.hpp"
#include "config/experiment.hpp"
#include "config/operators.hpp"
#include "core/table.hpp"
#include "grid/schedule.hpp"
#include "grid/torus.hpp"

namespace lipizz::setup {

/// The tables of the algorithm's operators, by the kinds of `lipizz list`.
config::OperatorTables operator_tables();

/// The experiment with all parameters of its operators, and the migration that `auto` stands for,
/// in their places. ConfigError as config::completed() says.
config::Experiment with_complete_operators(config::Experiment experiment);

/// The row of a table that the experiment names, with the values of its parameters. `setting`
/// stands in messages. ConfigError as config::completed() says.
template <class Record>
coev::Configured<Record> configured(std::span<const Record* const> table,
                                    const config::Operator& written, std::string_view setting) {
  const config::Operator complete =
      config::completed(written, coev::declarations_of(table), setting);
  std::vector<double> values;
  for (const auto& [name, value] : complete.parameters) values.push_back(value);
  return {*find_row(table, &Record::name, complete.kind, setting), std::move(values)};
}

/// Puts the experiment's operators into the settings. ConfigError when one is unknown, or they do
/// not fit together: a selection that may copy a neighbour or a recombination that mixes them needs
/// their moments, one that compares behaviours a fitness by score, weights by recall enough
/// samples, and a mutation of losses something to choose from.
void set_operators(const config::Experiment& experiment, coev::Settings& settings);

/// ConfigError when a cell has more neighbours than comm's messages can tell apart.
void check_neighbours(const grid::Schedule& schedule, const grid::Torus& torus);

}  // namespace lipizz::setup
