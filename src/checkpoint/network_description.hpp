#pragma once

#include <string>

#include "nn/network/network.hpp"

namespace lipizz::checkpoint {

/// A network as JSON, complete enough to build it elsewhere; docs/formats.md lists the keys.
std::string network_description(const nn::NetworkSpec& network);

}  // namespace lipizz::checkpoint
