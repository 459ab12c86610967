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

/// Limits the instructions that oneDNN generates to those of the level, before its first primitive.
/// ConfigError when that is too late, or when oneDNN finds no bf16 where the level has it.
void cap_onednn(NumericsLevel level);

/// The level whose instructions oneDNN generates in this process: the cap, or what the machine
/// offers. To ask settles it, so not before cap_onednn().
NumericsLevel onednn_level();

}  // namespace lipizz::nn
