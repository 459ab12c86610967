#include "report/event_reader.hpp"

#include <string_view>
#include <utility>

namespace lipizz::report {

EventReader::EventReader(std::filesystem::path file, grid::Torus torus)
    : lines_(std::move(file)), torus_(torus) {}

std::vector<RunEvent> EventReader::read() {
  std::vector<RunEvent> all;
  lines_.read([&](std::string_view line) {
    auto parsed = parse_run_event(line, torus_);
    if (parsed) all.push_back(std::move(*parsed));
    return parsed.has_value();
  });
  return all;
}

}  // namespace lipizz::report
