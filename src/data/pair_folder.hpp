#pragma once

#include "data/dataset.hpp"

namespace lipizz::data {

/// Pairs of images of one's own: the pictures of the folder OwnFiles::path and all folders below
/// it, or of its parts (data/folder_listing.hpp), each with two images of one size side by side.
/// OwnFiles::condition says which half is given; its channels come first in a sample. Halves are
/// brought to OwnFiles::size and OwnFiles::channels as image-folder does it. Pairs have no classes.
///
/// DataError naming the file when one is damaged, has an odd width, or another size than the rest
/// and none is wanted.
DatasetSource find_pair_folder(const OpenOptions& options);

}  // namespace lipizz::data
