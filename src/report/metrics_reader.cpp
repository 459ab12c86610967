#include "report/metrics_reader.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace lipizz::report {
namespace {

// A cell's line has under a kilobyte.
constexpr std::size_t kLongestLine = 1 << 20;

}  // namespace

MetricsReader::MetricsReader(std::filesystem::path file, grid::Torus torus)
    : lines_(std::move(file)), torus_(torus) {}

std::vector<MetricsLine> MetricsReader::read() {
  std::vector<MetricsLine> all;
  lines_.read([&](std::string_view line) {
    auto parsed = line.size() > kLongestLine ? std::nullopt : parse_metrics_line(line, torus_);
    if (parsed) all.push_back(std::move(*parsed));
    return parsed.has_value();
  });
  return all;
}

}  // namespace lipizz::report
