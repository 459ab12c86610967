#include "report/series_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "report/thinning.hpp"

namespace lipizz::report {
namespace {

void add(std::string& text, float value) {
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(text), "{:.5g}", value);
  } else {
    text += "null";
  }
}

void add(std::string& text, std::uint32_t value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

template <class T>
std::string list_of(std::span<const T> values) {
  std::string text = "[";
  for (const T value : values) {
    if (text.size() > 1) text += ',';
    add(text, value);
  }
  return text + ']';
}

std::string text_of(std::span<const float> series, const std::vector<std::size_t>& places) {
  std::vector<std::uint32_t> steps;
  std::vector<float> values;
  std::size_t generation = 0;
  for (const std::size_t place : places) {
    steps.push_back(static_cast<std::uint32_t>(place + 1 - generation));
    values.push_back(series[place]);
    generation = place + 1;
  }
  return "{\"d\":" + list_of<std::uint32_t>(steps) + ",\"v\":" + list_of<float>(values) + '}';
}

}  // namespace

std::string list_text(std::span<const float> values) {
  return list_of(values);
}

std::string list_text(std::span<const std::uint32_t> values) {
  return list_of(values);
}

std::string series_text(std::span<const float> series, std::size_t n_at_most) {
  return text_of(series, thinned(series, n_at_most));
}

std::string sparse_series_text(std::span<const float> series, std::size_t n_at_most) {
  std::vector<std::size_t> known;
  std::vector<float> values;
  for (std::size_t place = 0; place < series.size(); ++place) {
    if (std::isnan(series[place])) continue;
    known.push_back(place);
    values.push_back(series[place]);
  }
  std::vector<std::size_t> places = thinned(values, n_at_most);
  for (std::size_t& place : places) place = known[place];
  return text_of(series, places);
}

}  // namespace lipizz::report
