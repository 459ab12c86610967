#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lipizz::report {

/// Figures of a run as the JSON of a page, five digits each; what is not finite is null.

/// `[1.5,null,3]`
std::string list_text(std::span<const float> values);
std::string list_text(std::span<const std::uint32_t> values);

/// A series of generations 1, 2 ..., thinned() to at most n_at_most of them, as page.js reads it
/// back: `{"d":[1,1,3],"v":[7,null,2]}` are the values of generations 1, 2 and 5.
std::string series_text(std::span<const float> series, std::size_t n_at_most);

/// The same of a figure that only some generations have, as a score: without the others, so that a
/// line joins those that have it.
std::string sparse_series_text(std::span<const float> series, std::size_t n_at_most);

}  // namespace lipizz::report
