#include "app/report_command.hpp"

#include <filesystem>
#include <ostream>

#include "core/error.hpp"
#include "report/run_report.hpp"

namespace lipizz::app {

int report_command(const CommandLine& line, std::ostream& out) {
  const std::filesystem::path file = line.given.text("output");
  out << report::write_run_report(line.arguments.front(), file).string() << std::endl;
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace lipizz::app
