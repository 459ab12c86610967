#pragma once

#include "data/dataset.hpp"

namespace lipizz::data {

/// Images of one's own: the pictures of the folder OwnFiles::path and all folders below it
/// (data/folder_index.hpp), PNG or JPEG, grey or coloured, brought to OwnFiles::size by
/// OwnFiles::fit and to OwnFiles::channels. The folder that a picture lies in is its class, by its
/// name below the whole (`animals/cats`) or, where there are parts, below `train`, `test` and
/// `val`, and then no other pictures are used; with all in one folder there are no classes.
///
/// DataError naming the file when one is damaged, when pictures are of several sizes and none is
/// wanted, or when some lie beside folders of classes.
DatasetSource find_image_folder(const OpenOptions& options);

}  // namespace lipizz::data
