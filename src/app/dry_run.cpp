#include "app/dry_run.hpp"

#include "setup/agreement/inventory_text.hpp"

namespace lipizz::app {

std::string dry_run_report(const setup::MemoryEstimate& estimate, const comm::RunPlan& run_plan,
                           std::span<const comm::InventoryEntry> inventory) {
  std::string text;
  for (const auto& line : setup::inventory_lines(inventory, run_plan)) text += line + "\n";
  return text + setup::memory_report(estimate, inventory);
}

}  // namespace lipizz::app
