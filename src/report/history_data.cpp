#include "report/history_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "report/series_text.hpp"
#include "report/takeovers.hpp"
#include "report/thinning.hpp"

namespace lipizz::report {
namespace {

constexpr std::size_t kMostTakeovers = 200;
constexpr std::size_t kMostMoves = 100;  // of one cell's ancestors
constexpr std::size_t kFewestFrames = 3;
constexpr std::size_t kFewestPoints = 16;

constexpr std::array kFigureNames{
    std::pair{Figure::kScore, "score"},
    std::pair{Figure::kGeneratorLoss, "generator_loss"},
    std::pair{Figure::kGeneratorRate, "generator_rate"},
    std::pair{Figure::kDiscriminatorLoss, "discriminator_loss"},
    std::pair{Figure::kDiscriminatorRate, "discriminator_rate"},
};

// Texts between brackets with commas between them.
std::string list_of(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? "," : "") + text;
  return list + ']';
}

std::vector<std::uint32_t> numbers_of(const std::vector<std::size_t>& places, std::uint32_t first) {
  std::vector<std::uint32_t> numbers;
  for (const std::size_t place : places) {
    numbers.push_back(static_cast<std::uint32_t>(place) + first);
  }
  return numbers;
}

// Lists of members, each once.
class MemberLists {
 public:
  std::uint32_t place_of(std::span<const History::Member> mixture) {
    std::vector<std::uint32_t> cells;
    for (const History::Member& member : mixture) cells.push_back(member.cell.value);
    const auto [found, is_new] = places_.try_emplace(cells, places_.size());
    if (is_new) texts_.push_back(list_text(cells));
    return found->second;
  }

  [[nodiscard]] std::string text() const { return list_of(texts_); }

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> places_;
  std::vector<std::string> texts_;
};

std::string mixture_text(std::span<const History::Member> mixture, MemberLists& members) {
  if (mixture.empty()) return "[]";
  std::vector<float> numbers{static_cast<float>(members.place_of(mixture))};
  for (const History::Member& member : mixture) numbers.push_back(std::round(1000 * member.weight));
  return list_text(numbers);
}

std::string moves_text(const History& history, NetworkRole role, CellId cell) {
  const bool is_generator = role == NetworkRole::kGenerator;
  const Figure rate = is_generator ? Figure::kGeneratorRate : Figure::kDiscriminatorRate;
  const Figure loss = is_generator ? Figure::kGeneratorLoss : Figure::kDiscriminatorLoss;
  std::vector<std::string> moves;
  for (const auto& [generation, from] : moves_of(history, role, cell, kMostMoves)) {
    const auto before = [&](Figure figure) {
      return generation > 1 ? history.at(figure, from, generation - 1)
                            : std::numeric_limits<float>::quiet_NaN();
    };
    const std::array figures{before(rate), before(loss)};
    const std::string told = list_text(figures);
    moves.push_back('[' + std::to_string(generation) + ',' + std::to_string(from.value) + ',' +
                    told.substr(1));
  }
  return list_of(moves);
}

// All cells' newest scores, taken generation by generation.
class NewestScores {
 public:
  explicit NewestScores(const History& history)
      : history_(history),
        scores_(history.torus().cells(), std::numeric_limits<float>::quiet_NaN()) {}

  // generation: not before the last one asked for.
  std::span<const float> at(Generation generation) {
    for (; known_ < generation; ++known_) {
      for (std::uint32_t cell = 0; cell < scores_.size(); ++cell) {
        const float score = history_.at(Figure::kScore, {cell}, known_ + 1);
        if (!std::isnan(score)) scores_[cell] = score;
      }
    }
    return scores_;
  }

 private:
  const History& history_;
  std::vector<float> scores_;
  Generation known_ = 0;
};

}  // namespace

std::vector<Generation> frames_of(const History& history, Generation best,
                                  const HistoryLimits& limits) {
  const std::size_t n_cells = history.torus().cells();
  const Generation n = history.generations();
  if (n == 0 || n_cells > limits.n_cells_of_frames) return {};
  const std::size_t n_frames =
      std::clamp(limits.n_cells_of_frames / n_cells, kFewestFrames, limits.n_frames);
  return numbers_of(evenly_chosen(n, n_frames, best == 0 ? n - 1 : best - 1), 1);
}

std::vector<std::uint32_t> cells_with_series(const History& history, CellId best,
                                             const HistoryLimits& limits) {
  return numbers_of(evenly_chosen(history.torus().cells(), limits.n_series, best.value), 0);
}

std::string series_data(const History& history, const std::vector<std::uint32_t>& cells,
                        const HistoryLimits& limits) {
  const std::size_t n_points =
      std::clamp(limits.n_points_in_all / cells.size(), kFewestPoints, limits.n_points);
  std::string text = "{\"cells\":" + list_text(cells) +
                     ",\"best\":" + sparse_series_text(history.best_scores(), limits.n_points);
  for (const auto& [figure, name] : kFigureNames) {
    const auto written = figure == Figure::kScore ? sparse_series_text : series_text;
    std::vector<std::string> of_cells;
    for (const std::uint32_t cell : cells) {
      of_cells.push_back(written(history.series(figure, {cell}), n_points));
    }
    text += std::string(",\"") + name + "\":" + list_of(of_cells);
  }
  return text + '}';
}

std::string frames_data(const History& history, const std::vector<Generation>& generations) {
  MemberLists members;
  NewestScores newest(history);
  std::vector<std::string> scores;
  std::vector<std::string> mixtures;
  for (const Generation generation : generations) {
    scores.push_back(list_text(newest.at(generation)));
    std::vector<std::string> of_cells;
    for (std::uint32_t cell = 0; cell < history.torus().cells(); ++cell) {
      of_cells.push_back(mixture_text(history.mixture({cell}, generation), members));
    }
    mixtures.push_back(list_of(of_cells));
  }
  return "{\"generations\":" + list_text(generations) + ",\"score\":" + list_of(scores) +
         ",\"members\":" + members.text() + ",\"mixture\":" + list_of(mixtures) + '}';
}

std::string lineage_data(const History& history, NetworkRole role,
                         const std::vector<Generation>& generations,
                         const std::vector<std::uint32_t>& cells, const HistoryLimits& limits) {
  std::vector<std::string> moves;
  for (const std::uint32_t cell : cells) moves.push_back(moves_text(history, role, {cell}));
  const Founders founders = founders_of(history, role, generations);
  std::vector<std::string> of_frames;
  for (const auto& all : founders.of_cells) of_frames.push_back(list_text(all));
  const std::vector<Takeover> takeovers = takeovers_of(history, role);
  std::vector<std::string> taken;
  std::uint64_t n_taken = 0;
  for (const Takeover& takeover : takeovers) {
    n_taken += takeover.n;
    if (taken.size() == kMostTakeovers) continue;
    taken.push_back('[' + std::to_string(takeover.from.value) + ',' +
                    std::to_string(takeover.to.value) + ',' + std::to_string(takeover.n) + ']');
  }
  return "{\"moves\":" + list_of(moves) + ",\"founders\":" + list_of(of_frames) +
         ",\"alive\":" + series_text(founders.n_alive, limits.n_points) +
         ",\"taken\":" + list_of(taken) + ",\"n_taken\":" + std::to_string(n_taken) + '}';
}

}  // namespace lipizz::report
