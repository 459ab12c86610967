#include "master/best_mixture.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "checkpoint/source_file.hpp"
#include "core/error.hpp"
#include "report/metrics_reader.hpp"

namespace lipizz::master {
namespace {

using Json = nlohmann::json;

constexpr double kPausePerWrite = 50;

template <class T>
std::optional<T> number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  if (std::is_integral_v<T> && !found->is_number_unsigned()) return std::nullopt;
  return found->get<T>();
}

}  // namespace

void BestMixture::add(const MetricsLog::Completed& completed, Rank host) {
  const bool is_better = best_ ? completed.score < best_->score : !std::isnan(completed.score);
  if (is_better) {
    best_ = BestGeneration{completed.generation, completed.best, completed.score, host};
  }
}

void BestMixture::go_back(Generation start, Rank host) {
  asked_.reset();
  if (!best_ || best_->generation <= start) return;
  best_->keeper = host;  // which trains it again
  last_told_.reset();
}

std::optional<BestGeneration> BestMixture::next_to_write(bool must) {
  if (asked_ || is_settled()) return std::nullopt;
  if (!must && clock_.now_s() < not_before_s_) return std::nullopt;
  asked_ = best_;
  return asked_;
}

void BestMixture::add(const comm::TaskDone& done) {
  if (!asked_) return;
  if (!done.file.empty()) written_ = asked_;
  last_told_ = asked_;
  asked_.reset();
  not_before_s_ = clock_.now_s() + kPausePerWrite * done.seconds;
}

std::optional<BestGeneration> best_of_lines(const std::filesystem::path& metrics,
                                            const grid::Torus& torus, Generation generations) {
  std::optional<BestGeneration> best;
  for (const report::MetricsLine& line : report::MetricsReader(metrics, torus).read()) {
    if (line.generation > generations || std::isnan(line.score)) continue;
    if (!best || line.score < best->score) best = {line.generation, line.cell, line.score};
  }
  return best;
}

std::optional<BestGeneration> written_best(const std::filesystem::path& run,
                                           const grid::Torus& torus) {
  constexpr std::uint64_t kMostBytes = 16'000'000;
  try {
    const std::filesystem::path path = run / "mixture-best" / "mixture.json";
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
    const checkpoint::SourceFile file(path);
    if (file.size() > kMostBytes) return std::nullopt;
    const Bytes bytes = file.first(file.size());
    const Json json =
        Json::parse(reinterpret_cast<const char*>(bytes.data()),
                    reinterpret_cast<const char*>(bytes.data()) + bytes.size(), nullptr, false);
    if (!json.is_object() || !json.contains("origin")) return std::nullopt;
    const Json& origin = json["origin"];
    const auto generation = number<Generation>(origin, "generation");
    const auto row = number<std::uint32_t>(origin, "row");
    const auto column = number<std::uint32_t>(origin, "col");
    const auto score = number<double>(origin, "score");
    if (!generation || !row || !column || !score) return std::nullopt;
    if (*row >= torus.rows || *column >= torus.columns) return std::nullopt;
    return BestGeneration{*generation, torus.cell(*row, *column), *score};
  } catch (const Error&) {
    return std::nullopt;  // written again where it can be
  }
}

}  // namespace lipizz::master
