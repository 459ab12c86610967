#include "report/metrics_reader.hpp"

#include <fstream>
#include <system_error>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"

namespace lipizz::report {
namespace {

// A cell's line has under a kilobyte; what is longer is none of ours and is not kept.
constexpr std::size_t kLongestLine = 1 << 20;

}  // namespace

MetricsReader::MetricsReader(std::filesystem::path file, grid::Torus torus)
    : file_(std::move(file)), torus_(torus) {}

std::vector<MetricsLine> MetricsReader::read() {
  has_begun_again_ = false;
  if (is_missing(file_)) return {};
  std::ifstream file(file_, std::ios::binary | std::ios::ate);
  if (!file) throw CheckpointError("cannot read " + file_.string());
  if (static_cast<std::uint64_t>(file.tellg()) < offset_) {
    *this = MetricsReader(file_, torus_);
    has_begun_again_ = true;
  }
  file.seekg(static_cast<std::streamoff>(offset_));
  std::vector<MetricsLine> lines;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    offset_ += line.size() + 1;
    auto parsed = line.size() > kLongestLine ? std::nullopt : parse_metrics_line(line, torus_);
    if (parsed) {
      lines.push_back(std::move(*parsed));
    } else {
      ++n_damaged_;
    }
  }
  return lines;
}

}  // namespace lipizz::report
