// A sweep's file, and the files by which processes tell one another who trains what. A sweep that
// is taken is planned, where it is small, and its runs have folders that can be made.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "fuzz.hpp"
#include "sweep/claims.hpp"
#include "sweep/plan.hpp"
#include "sweep/sweep_file.hpp"

namespace {

using namespace lipizz;

bool is_small(const sweep::SweepFile& file) {
  std::size_t n = file.seeds.size();
  for (const sweep::AxisGroup& group : file.axes) {
    n = std::min<std::size_t>(1000, n * group.front().values.size());
  }
  return n < 100;
}

void expect_plain_folders(const sweep::Plan& plan) {
  for (const sweep::PlannedRun& run : plan.runs()) {
    const bool is_plain = run.folder.find_first_of("/\\\n\"' ") == std::string::npos;
    if (!is_plain || run.folder.front() == '.' || run.folder.size() > 255) std::abort();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const std::string_view text(reinterpret_cast<const char*>(data), n_bytes);
  static_cast<void>(sweep::parse_holder(text));
  static_cast<void>(sweep::parse_claim_end(text));
  sweep::SweepFile file;
  const auto load = [](const std::filesystem::path&, config::Experiment&) {
    throw ConfigError("no file");
  };
  if (!fuzz::accepts([&] { file = sweep::parse_sweep(text, "fuzz", load); })) return 0;
  if (is_small(file)) fuzz::accepts([&] { expect_plain_folders(sweep::Plan(file)); });
  return 0;
}
