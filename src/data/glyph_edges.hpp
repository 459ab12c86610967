#pragma once

#include <memory>

#include "data/dataset.hpp"

namespace lipizz::data {

/// Built-in pairs for image-to-image translation, 32x32 grey, 10,000 + 1,000, without classes:
/// channel 0, the condition, is the outline of a digit, channel 1 the digit, that of draw_glyph()
/// in a black margin. The outline is white where the digit is at least half white and one of the
/// four pixels beside is not.
DatasetSource find_glyph_edges(const OpenOptions& options);

}  // namespace lipizz::data
