#include "sweep/keys.hpp"

#include <array>

namespace lipizz::sweep {
namespace {

constexpr std::array kKeys{
    Key{"sweep", "name", "a text",
        "Names the sweep and its folder: letters, digits, `.`, `_` and `-`. Default: the file's "
        "name."},
    Key{"sweep", "base", "a path or an object",
        "What all runs have in common: a configuration file, by its path from the sweep's file, or "
        "settings as in one. Default: the settings' defaults."},
    Key{"sweep", "settings", "an object", "Settings on top of `base`, written alike."},
    Key{"sweep", "axes", "a list of axes",
        "What differs. Every value of an axis is combined with every value of the others."},
    Key{"sweep", "seeds", "a whole number or a list",
        "Every combination is run with each of these seeds; `3` means 1, 2 and 3. Default: the "
        "seed of `base`."},
    Key{"sweep", "random_seed", "a whole number",
        "What random draws depend on; another one gives other draws. Default: 1."},
    Key{"sweep", "stop_early", "an object",
        "Successive halving. Default: all runs go to their end."},
    Key{"axis", "setting", "a setting's path",
        "As `--set` names it, for example `generator.learning_rate` or `selection.size`."},
    Key{"axis", "values", "a list", "The values, each as in a configuration file."},
    Key{"axis", "range", "an object", "Values between two ends, equally far apart."},
    Key{"axis", "random", "an object", "Values that are drawn at random."},
    Key{"axis", "zip", "a list of axes",
        "In place of all others: axes that move together, first value with first value."},
    Key{"range", "from", "a number", "The first value."},
    Key{"range", "to", "a number", "The last value."},
    Key{"range", "points", "a whole number", "How many values, both ends included; at least 2."},
    Key{"range", "scale", "`linear` or `log`",
        "Whether neighbours have the same difference or the same ratio. Default: `linear`."},
    Key{"range", "whole", "true or false", "Rounds to whole numbers. Default: false."},
    Key{"random", "from", "a number", "No value is lower."},
    Key{"random", "to", "a number", "No value is higher."},
    Key{"random", "draws", "a whole number",
        "How many values. With more, those that were drawn before stay the same."},
    Key{"random", "scale", "`linear` or `log`",
        "Whether numbers or their logarithms are uniform. Default: `linear`."},
    Key{"random", "whole", "true or false", "Draws whole numbers. Default: false."},
    Key{"stop_early", "rungs", "a list of generations",
        "Rising. Each run is first trained to the first of them; when all runs are there, the "
        "worse combinations stop, by their mean over the seeds, and the others go on to the "
        "next."},
    Key{"stop_early", "keep", "a number above 0 and below 1",
        "The share of combinations that go on, rounded up. Default: 0.5."},
};

constexpr std::array kObjects{"sweep", "axis", "range", "random", "stop_early"};

}  // namespace

std::span<const Key> keys() {
  return kKeys;
}

std::vector<std::string> names_of(std::string_view object) {
  std::vector<std::string> names;
  for (const Key& key : kKeys) {
    if (key.object == object) names.emplace_back(key.name);
  }
  return names;
}

std::string reference_tables() {
  std::string text;
  for (const std::string_view object : kObjects) {
    text += (text.empty() ? "| key of `" : "\n| key of `") + std::string(object) +
            "` | takes | what it is |\n|---|---|---|\n";
    for (const Key& key : kKeys) {
      if (key.object != object) continue;
      text += "| `" + std::string(key.name) + "` | " + std::string(key.takes) + " | " +
              std::string(key.summary) + " |\n";
    }
  }
  return text;
}

}  // namespace lipizz::sweep
