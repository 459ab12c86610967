#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lipizz::report {

/// Places of a series that show what all of it does, in order: all of them where they are at most
/// `n_at_most`, else the first, the last, and of each of so many buckets of neighbours the smallest
/// and the largest value, so that no spike is lost. A NaN is no value; a bucket without any keeps
/// one NaN, so that the gap is seen. n_at_most: at least 4.
std::vector<std::size_t> thinned(std::span<const float> series, std::size_t n_at_most);

/// At most `n_at_most` places of `n`, evenly, with the first, the last and `kept` among them (which
/// takes the place of its nearest). n: above 0; n_at_most: at least 3.
std::vector<std::size_t> evenly_chosen(std::size_t n, std::size_t n_at_most, std::size_t kept);

}  // namespace lipizz::report
