#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "config/experiment.hpp"
#include "config/fields.hpp"

namespace lipizz::config {

/// Reading is strict: an unknown or repeated key, a wrong type, a number out of range and malformed
/// JSON are ConfigErrors that say where, what was expected and what was found. Settings that the
/// text does not mention keep their value, but an operator that becomes another one forgets its
/// parameters. Names are looked at by check(), operators' parameters by completed(), not here.

/// `source` stands in messages, usually a file's name.
void apply_json(std::string_view text, std::string_view source, Experiment& experiment);

/// ConfigError when there is no such file, it cannot be read or it is larger than a mebibyte.
void apply_file(const std::filesystem::path& file, Experiment& experiment);

/// One setting as text, as on a command line: texts as they are, numbers as in JSON, a list of
/// names with commas between them or as JSON, a schedule, a model or an operator as a name or as
/// JSON. An operator's `kind` and parameters have paths of their own, such as selection.size.
/// `where` stands in messages.
void apply_value(std::string_view path, std::string_view value, std::string_view where,
                 Experiment& experiment);

/// `data.batch_size=50`, the argument of --set.
void apply_assignment(std::string_view assignment, Experiment& experiment);

/// ConfigError unless the text is JSON without a key that stands twice in one object, and without
/// more than 32 lists and objects in one another: what apply_json() asks of any text, for readers
/// of other files of the same kind.
void check_json(std::string_view text, std::string_view source);

/// The effective configuration with every setting, indented, ending with a newline; apply_json() of
/// it gives the same experiment again.
std::string to_json(const Experiment& experiment);

/// The JSON text of one setting's value.
std::string value_text(const Field& field);

/// A hash over the effective configuration but data.dir and data.path, which may differ from node
/// to node: equal when all other settings are.
std::uint64_t hash(const Experiment& experiment);

/// A hash over all settings but those that may change: two runs may continue each other when it is
/// equal.
std::uint64_t lineage_hash(const Experiment& experiment);

/// ConfigError naming the first setting that `changed` has another value of than `started`, unless
/// that may change.
void expect_unchanged_settings(const Experiment& started, const Experiment& changed);

}  // namespace lipizz::config
