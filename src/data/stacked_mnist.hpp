#pragma once

#include "data/dataset.hpp"

namespace lipizz::data {

/// Three digits of MNIST in the three channels of one image, 28x28: 128,000 + 26,000, in 1,000
/// classes, the label of digits a, b and c being 100 a + 10 b + c. Training images are made of
/// MNIST's training digits and test images of its test digits, drawn uniformly and alike on every
/// machine. Read from data_dir/mnist, with the errors of find_mnist().
///
/// Source: Srivastava et al., "VEEGAN" (2017), in the numbers of Lin et al., "PacGAN" (2018).
DatasetSource find_stacked_mnist(const OpenOptions& options);

}  // namespace lipizz::data
