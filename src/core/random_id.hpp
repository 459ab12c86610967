#pragma once

#include <string>

namespace lipizz {

/// 16 hexadecimal digits that nobody can guess and no other call gives, for names. The system
/// draws them: never for what a result depends on (core/random.hpp).
std::string random_id();

}  // namespace lipizz
