#include "sweep/report_files.hpp"

#include <string>

#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "report/page.hpp"
#include "sweep/page_data.hpp"
#include "sweep/page_script.hpp"
#include "sweep/tables.hpp"

namespace lipizz::sweep {

std::vector<std::filesystem::path> write_report(const Plan& plan, const SweepFolder& folder,
                                                const Progress& progress, const Figures& figures) {
  std::vector<std::filesystem::path> files;
  const auto write = [&](const std::string& name, const std::string& text) {
    files.push_back(folder.report() / name);
    write_atomically(files.back(), text);
  };
  make_folders(folder.report());
  write("table.csv", figures_csv(plan, figures));
  write("runs.csv", runs_csv(plan, progress));
  write("table.tex", figures_latex(plan, figures));
  for (std::size_t i = 0; i < figures.kinds.size(); ++i) {
    const Row* const best = best_of(figures, figures.kinds[i], plan.sweep().seeds.size());
    const std::string number = figures.kinds.size() == 1 ? "" : "-" + std::to_string(i + 1);
    const Combination& combination = plan.combinations()[best->combination];
    write("best" + number + ".json",
          config::to_json(plan.experiment(combination, plan.sweep().seeds.front())));
  }
  files.push_back(folder.report() / "report.html");
  report::write_page(files.back(), {.title = plan.sweep().name + " · lipizz sweep",
                                    .data = page_data(plan, folder, progress, figures),
                                    .scripts = {kSweepScript}});
  return files;
}

}  // namespace lipizz::sweep
