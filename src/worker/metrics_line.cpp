#include "worker/metrics_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace lipizz::worker {
namespace {

using OrderedJson = nlohmann::ordered_json;

double in_six_digits(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

OrderedJson rounded(double value) {
  return std::isfinite(value) ? OrderedJson(in_six_digits(value)) : OrderedJson(nullptr);
}

OrderedJson rounded(const std::vector<double>& values) {
  OrderedJson list = OrderedJson::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

OrderedJson mixture_of(const coev::CellReport& report) {
  OrderedJson list = OrderedJson::array();
  for (const auto& [cell, weight] : report.mixture) list.push_back({cell.value, rounded(weight)});
  return list;
}

OrderedJson ages_of(const coev::CellReport& report) {
  OrderedJson ages = OrderedJson::object();
  for (const auto& [neighbour, generations] : report.ages) {
    ages[std::to_string(neighbour.value)] =
        generations ? OrderedJson(*generations) : OrderedJson(nullptr);
  }
  return ages;
}

OrderedJson seconds_of(const coev::CellReport& report, double gather_s) {
  OrderedJson seconds{{"gather", rounded(gather_s)}};
  for (const auto& [name, value] : report.profile) seconds[name] = rounded(value);
  return seconds;
}

}  // namespace

double told_score(const coev::CellReport& report) {
  return in_six_digits(report.score);
}

std::string metrics_line(const coev::CellReport& report, const grid::Torus& torus,
                         double gather_s) {
  OrderedJson line{{"generation", report.generation},
                   {"cell", report.cell.value},
                   {"row", torus.row(report.cell)},
                   {"col", torus.column(report.cell)},
                   {"score", rounded(report.score)}};
  for (const auto& [name, value] : report.score_details) line["details"][name] = rounded(value);
  if (!report.class_shares.empty()) line["class_shares"] = rounded(report.class_shares);
  line["generator"] = {{"loss", rounded(report.generator.loss)},
                       {"rate", rounded(report.generator.rate)},
                       {"objective", report.generator.objective},
                       {"origin", report.generator.origin.value},
                       {"replaced", report.generator.is_replaced}};
  line["discriminator"] = {{"loss", rounded(report.discriminator.loss)},
                           {"rate", rounded(report.discriminator.rate)},
                           {"origin", report.discriminator.origin.value},
                           {"replaced", report.discriminator.is_replaced}};
  if (report.generator.is_copied) line["generator"]["copied"] = true;
  if (report.discriminator.is_copied) line["discriminator"]["copied"] = true;
  if (report.generator.n_skipped > 0) line["generator"]["skipped"] = report.generator.n_skipped;
  if (report.discriminator.n_skipped > 0) {
    line["discriminator"]["skipped"] = report.discriminator.n_skipped;
  }
  line["mixture"] = mixture_of(report);
  if (!report.ages.empty()) line["ages"] = ages_of(report);
  line["seconds"] = seconds_of(report, gather_s);
  return line.dump();
}

}  // namespace lipizz::worker
