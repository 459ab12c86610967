// The configuration and the result of a run, as a report reads them: they are taken, or refused by
// an error, however deep or large they are.
#include <string>

#include "fuzz.hpp"
#include "report/result_details.hpp"
#include "report/run_configuration.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const std::string text(reinterpret_cast<const char*>(data), n_bytes);
  fuzz::accepts([&] { report::parse_run_configuration(text, "fuzz"); });
  fuzz::accepts([&] { report::parse_result_details(text, "fuzz"); });
  return 0;
}
