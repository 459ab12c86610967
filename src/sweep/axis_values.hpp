#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lipizz::sweep {

enum class Scale { kLinear, kLogarithmic };

/// An interval of numbers, both ends included; both above 0 on a logarithmic scale.
struct Interval {
  double from = 0;
  double to = 0;
  Scale scale = Scale::kLinear;
  bool is_whole = false;  // whole numbers alone; its ends are some
};

/// Values of an axis as text, none outside of its interval. But for whole numbers and the ends of
/// an interval, they are rounded to six digits, so that they are the same on every machine, and
/// readable.

/// n >= 2 values, the first and the last being the ends.
std::vector<std::string> spaced(const Interval& interval, std::size_t n);

/// n values drawn at random. Each depends on the seed, the setting and its place in the list alone:
/// not on other axes, nor on how many are drawn.
std::vector<std::string> drawn(const Interval& interval, std::size_t n, std::uint64_t seed,
                               const std::string& setting);

/// The number as `--set` takes it: the shortest text that is this number.
std::string exact_text(double number);

}  // namespace lipizz::sweep
