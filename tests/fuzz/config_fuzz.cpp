// The configuration, from a file and from the command line, and back: what is taken is written as
// JSON that is taken again and means the same. A model that is written out is one or is refused.
#include <string_view>

#include "config/json.hpp"
#include "fuzz.hpp"
#include "setup/model.hpp"
#include "setup/setting_rules.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const std::string_view text(reinterpret_cast<const char*>(data), n_bytes);
  config::Experiment experiment;
  fuzz::accepts([&] { config::apply_assignment(text, experiment); });
  experiment = {};
  if (!fuzz::accepts([&] { config::apply_json(text, "fuzz", experiment); })) return 0;
  config::Experiment again;
  config::apply_json(config::to_json(experiment), "again", again);
  if (!(again == experiment)) std::abort();
  fuzz::accepts([&] { setup::check_settings(experiment); });
  if (experiment.model.is_written_out()) {
    fuzz::accepts([&] { setup::model_of(experiment.model); });
  }
  return 0;
}
