#pragma once

#include <string>
#include <string_view>

namespace lipizz {

/// The word that a configuration, an option or a command has for one that the field uses too:
/// `learning_rate` for `lr`, `generations` for `epochs`; dashes become underscores. The word itself
/// where there is none. Only messages use it: nothing has two names.
std::string our_word_for(std::string_view word);

}  // namespace lipizz
