#pragma once

#include <memory>

#include "data/dataset.hpp"

namespace lipizz::data {

/// Pairs of a facade's label map and its photo, 256x256 each, without classes. Channels 0..2 of a
/// sample are the map, the condition; 3..5 the photo. Nothing is scaled, cropped or flipped.
///
/// Read from data_dir/facades: the files train/*.jpg, in the order of their names, are the training
/// samples, val/*.jpg and then test/*.jpg the test samples; each a colour JPEG of 512x256 pixels
/// with the photo on the left and the map on the right. Other files are ignored. DataError naming
/// the file, what was expected and what was found when one is missing or damaged.
///
/// Source: Tylecek and Sara, "Spatial pattern templates for recognition of objects with regular
/// structure" (2013), in the layout of Isola et al., "Image-to-image translation with conditional
/// adversarial networks" (2017).
DatasetSource find_facades(const OpenOptions& options);

}  // namespace lipizz::data
