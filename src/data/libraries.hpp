#pragma once

#include <vector>

#include "core/library.hpp"

namespace lipizz::data {

/// The libraries that read and write data: zlib, libpng, libjpeg-turbo, HDF5.
std::vector<Library> libraries();

}  // namespace lipizz::data
