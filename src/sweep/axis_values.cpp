#include "sweep/axis_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/hash.hpp"
#include "core/math.hpp"
#include "core/philox.hpp"
#include "core/text.hpp"

namespace lipizz::sweep {
namespace {

constexpr double kMostExact = 9007199254740992;  // 2^53

double rounded(double number) {
  return parse_number<double>(fmt::format("{:.6g}", number)).value_or(number);
}

double between(const Interval& interval, double part) {
  if (interval.scale == Scale::kLinear) {
    return interval.from + (interval.to - interval.from) * part;
  }
  return interval.from * std::pow(interval.to / interval.from, part);
}

// Rounding must not lead out of the interval.
double inner_value(const Interval& interval, double part) {
  const double number = between(interval, part);
  return std::clamp(interval.is_whole ? std::round(number) : rounded(number), interval.from,
                    interval.to);
}

// In single precision our own functions have the same bits everywhere.
double between_for_draws(const Interval& interval, double part) {
  if (interval.scale == Scale::kLinear) {
    return interval.from + (interval.to - interval.from) * part;
  }
  const float low = math::log(static_cast<float>(interval.from));
  const float high = math::log(static_cast<float>(interval.to));
  return math::exp(low + (high - low) * static_cast<float>(part));
}

// Uniform in [0, 1), 53 bits.
double uniform(const philox::Block& block) {
  const std::uint64_t bits = std::uint64_t{block[0]} << 32 | block[1];
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

double draw(const Interval& interval, double part) {
  if (!interval.is_whole) {
    return std::clamp(rounded(between_for_draws(interval, part)), interval.from, interval.to);
  }
  // Each whole number has a piece of its own, from itself to the next.
  Interval pieces = interval;
  pieces.to += 1;
  return std::clamp(std::floor(between_for_draws(pieces, part)), interval.from, interval.to);
}

}  // namespace

std::string exact_text(double number) {
  if (std::trunc(number) == number && std::abs(number) < kMostExact) {
    return fmt::format("{}", static_cast<std::int64_t>(number));
  }
  return fmt::format("{}", number);
}

std::vector<std::string> spaced(const Interval& interval, std::size_t n) {
  std::vector<std::string> values;
  values.push_back(exact_text(interval.from));
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(n - 1);
    values.push_back(exact_text(inner_value(interval, part)));
  }
  values.push_back(exact_text(interval.to));
  return values;
}

std::vector<std::string> drawn(const Interval& interval, std::size_t n, std::uint64_t seed,
                               const std::string& setting) {
  Hasher key(seed);
  key.text(setting);
  const philox::Stream stream{.key = {static_cast<std::uint32_t>(key.digest()),
                                      static_cast<std::uint32_t>(key.digest() >> 32)}};
  std::vector<std::string> values;
  for (std::size_t i = 0; i < n; ++i) {
    const double part = uniform(philox::block(stream, static_cast<std::uint32_t>(i), 0));
    values.push_back(exact_text(draw(interval, part)));
  }
  return values;
}

}  // namespace lipizz::sweep
