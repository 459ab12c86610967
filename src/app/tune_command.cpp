#include "app/tune_command.hpp"

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>

#include "app/load_experiment.hpp"
#include "app/tune.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "setup/resolve.hpp"
#include "setup/samples.hpp"
#include "setup/setting_rules.hpp"

namespace lipizz::app {
namespace {

// Measuring takes minutes, and all of it would be lost.
void expect_writable(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::exists(file, none)) {
    throw ConfigError("tune: " + file.string() + " exists; name a file that does not");
  }
  try {
    const AtomicFile probe(file);
  } catch (const CheckpointError& error) {
    throw ConfigError(std::string("tune: ") + error.what());
  }
}

}  // namespace

int tune_command(const CommandLine& line, std::ostream& out) {
  const std::filesystem::path file = line.arguments.front();
  expect_writable(file);
  config::Experiment experiment = load_experiment(line, std::getenv("LIPIZZ_DATA_DIR"));
  setup::check_settings(experiment);  // the model may be for other samples
  experiment = setup::with_form(experiment, setup::open_options(experiment));
  const nn::ConvolutionTable table =
      tuned(setup::resolved(experiment), seconds_of,
            [&](const std::string& text) { out << text << std::endl; });
  write_atomically(file, table.to_json());
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace lipizz::app
