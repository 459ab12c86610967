#pragma once

#include <algorithm>
#include <cstddef>

namespace lipizz::nn {

/// The most images that divide the batch and that fit into `most_bytes`, one at least.
inline std::size_t images_at_a_time(std::size_t n_images, std::size_t bytes_each,
                                    std::size_t most_bytes) {
  std::size_t n = std::clamp<std::size_t>(most_bytes / bytes_each, 1, n_images);
  while (n_images % n != 0) --n;
  return n;
}

}  // namespace lipizz::nn
