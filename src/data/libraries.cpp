#include "data/libraries.hpp"

#include <hdf5.h>
#include <png.h>
#include <zlib.h>

#include <cstddef>
#include <cstdio>

// It uses what <cstdio> and <cstddef> declare without including them.
#include <jpeglib.h>

#define LIPIZZ_TEXT_OF(token) #token
#define LIPIZZ_TEXT(token) LIPIZZ_TEXT_OF(token)

namespace lipizz::data {

// libjpeg-turbo does not say at run time which it is.
std::vector<Library> libraries() {
  return {{"zlib", zlibVersion()},
          {"libpng", png_get_libpng_ver(nullptr)},
          {"libjpeg-turbo", LIPIZZ_TEXT(LIBJPEG_TURBO_VERSION)},
          {"HDF5", LIPIZZ_TEXT(H5_VERS_MAJOR) "." LIPIZZ_TEXT(H5_VERS_MINOR) "." LIPIZZ_TEXT(
                       H5_VERS_RELEASE)}};
}

}  // namespace lipizz::data
