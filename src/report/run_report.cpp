#include "report/run_report.hpp"

#include "report/page.hpp"
#include "report/page_files.hpp"
#include "report/report_data.hpp"

namespace lipizz::report {

std::filesystem::path write_run_report(const std::filesystem::path& run,
                                       const std::filesystem::path& file) {
  const RunRecord record = read_run(run);
  const std::filesystem::path path = file.empty() ? run / "report.html" : file;
  write_page(path, {.title = record.configuration.name + " · lipizz report",
                    .data = report_data(record),
                    .styles = {kReportStyle},
                    .scripts = {kReportScript}});
  return path;
}

}  // namespace lipizz::report
