#pragma once

#include <string>

#include "nn/base/engine.hpp"

namespace lipizz::nn {

/// True when this build has oneDNN.
bool has_onednn();

/// The version of the library that is loaded, `2.6.3`; empty in a build without oneDNN.
std::string onednn_version();

/// Lets oneDNN use only the calling thread: its bits depend on the number of threads.
void use_one_onednn_thread();

/// Limits the instructions that oneDNN generates, before its first primitive: those of the level,
/// and AMX for kBf16. ConfigError when that is too late, or when the machine does not offer them.
void cap_onednn(NumericsLevel level, Precision precision = Precision::kF32);

/// The level whose instructions oneDNN generates in this process: the cap, or what the machine
/// offers. To ask settles it, so not before cap_onednn().
NumericsLevel onednn_level();

}  // namespace lipizz::nn
