#include "report/growing_lines.hpp"

#include <fstream>
#include <string>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"

namespace lipizz::report {
namespace {

// A longer line is none of ours and is not kept.
constexpr std::size_t kLongestLine = 1 << 28;

}  // namespace

GrowingLines::GrowingLines(std::filesystem::path file) : file_(std::move(file)) {}

void GrowingLines::read(const Take& take) {
  has_begun_again_ = false;
  if (is_missing(file_)) return;
  std::ifstream file(file_, std::ios::binary | std::ios::ate);
  if (!file) throw CheckpointError("cannot read " + file_.string());
  if (static_cast<std::uint64_t>(file.tellg()) < offset_) {
    *this = GrowingLines(file_);
    has_begun_again_ = true;
  }
  file.seekg(static_cast<std::streamoff>(offset_));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    offset_ += line.size() + 1;
    if (line.size() > kLongestLine || !take(line)) ++n_damaged_;
  }
}

}  // namespace lipizz::report
