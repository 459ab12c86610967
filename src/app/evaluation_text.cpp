#include "app/evaluation_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/hash.hpp"
#include "report/text_table.hpp"

namespace lipizz::app {
namespace {

const char* name_of(metrics::Figure::Better better) {
  return better == metrics::Figure::Better::kLower ? "lower" : "higher";
}

std::string text_of(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value);
}

nlohmann::ordered_json json_of(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace

std::string evaluation_text(const EvaluationText& evaluation) {
  std::string text = evaluation.heading + "\n";
  if (evaluation.judge) {
    text += fmt::format("judge {} of the metric {}; scores of other judges are of another scale\n",
                        to_hex(evaluation.judge->hash), evaluation.judge->metric);
  }
  if (evaluation.n_floor_samples > 0) {
    text += fmt::format("floor: {} real test samples, scored the same way\n",
                        evaluation.n_floor_samples);
  }
  const bool has_floor = evaluation.n_floor_samples > 0;
  std::array<report::TextColumn, 5> columns{
      {{"score", {}}, {"value", {}, true}, {"+-", {}, true}, {"floor", {}, true}, {"better", {}}}};
  for (const metrics::Figure& figure : evaluation.figures) {
    columns[0].cells.push_back(figure.name);
    columns[1].cells.push_back(text_of(figure.value));
    columns[2].cells.push_back(std::isnan(figure.error) ? "-"
                                                        : fmt::format("{:.2g}", figure.error));
    columns[3].cells.push_back(text_of(figure.floor));
    columns[4].cells.emplace_back(name_of(figure.better));
  }
  std::vector<report::TextColumn> shown(columns.begin(), columns.end());
  if (!has_floor) shown.erase(shown.begin() + 3);
  constexpr std::size_t kWidth = 80;
  return text + "\n" + report::text_table(shown, kWidth);
}

std::string evaluation_json(const EvaluationText& evaluation) {
  nlohmann::ordered_json all;
  all["what"] = evaluation.heading;
  all["samples"] = evaluation.n_samples;
  all["metric"] = nullptr;
  all["judge"] = nullptr;
  if (evaluation.judge) {
    all["metric"] = evaluation.judge->metric;
    all["judge"] = to_hex(evaluation.judge->hash);
  }
  all["floor_samples"] = nullptr;
  if (evaluation.n_floor_samples > 0) all["floor_samples"] = evaluation.n_floor_samples;
  all["scores"] = nlohmann::ordered_json::array();
  for (const metrics::Figure& figure : evaluation.figures) {
    all["scores"].push_back({{"name", figure.name},
                             {"value", json_of(figure.value)},
                             {"error", json_of(figure.error)},
                             {"floor", json_of(figure.floor)},
                             {"better", name_of(figure.better)}});
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lipizz::app
