// The lines that runs leave: one of metrics, one of events. Both are read behind a checksum, which
// is made here so that it does not keep everything out. An event that is taken is written and taken
// again.
#include <string>

#include "checkpoint/checked_line.hpp"
#include "fuzz.hpp"
#include "report/metrics_line.hpp"
#include "report/run_event.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  constexpr grid::Torus kTorus{.rows = 2, .columns = 2};
  const std::string object(reinterpret_cast<const char*>(data), n_bytes);
  if (object.size() < 3 || object.front() != '{' || object.back() != '}') return 0;
  const std::string line = checkpoint::checked_line(object);
  report::parse_metrics_line(line, kTorus);
  const auto event = report::parse_run_event(line, kTorus);
  if (event && !report::parse_run_event(report::to_line(*event), kTorus)) std::abort();
  return 0;
}
