#pragma once

#include <memory>

#include "data/dataset.hpp"

namespace lipizz::data {

/// Datasets in MNIST's format: the four original files train-images-idx3-ubyte.gz,
/// train-labels-idx1-ubyte.gz, t10k-images-idx3-ubyte.gz and t10k-labels-idx1-ubyte.gz, 28x28 grey
/// images of ten classes, in a folder of `data_dir`; other files beside them are ignored. DataError
/// naming the file and what to do when one is missing, damaged or does not fit the others.

/// In data_dir/mnist. LeCun, Bottou, Bengio, Haffner, "Gradient-based learning applied to document
/// recognition" (1998).
DatasetSource find_mnist(const OpenOptions& options);

/// In data_dir/fashion-mnist. Xiao, Rasul, Vollgraf, "Fashion-MNIST" (2017).
DatasetSource find_fashion_mnist(const OpenOptions& options);

}  // namespace lipizz::data
