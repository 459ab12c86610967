#include "report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "report/takeovers.hpp"

namespace lipizz::report {
namespace {

using Kind = Finding::Kind;

// Shares beyond which a number is worth a word.
constexpr double kWorseAtTheEnd = 1.02;     // of the last best score to the best of all
constexpr double kMuchWaiting = 0.5;        // of a rank's time
constexpr double kRareClass = 0.25;         // of an even share
constexpr double kStillFalling = 0.97;      // of the best generation among all
constexpr std::size_t kNamedAtOnce = 8;     // cells or classes
constexpr Generation kFewGenerations = 10;  // of which no tendency is told
constexpr double kRateHasLeft = 100;        // times the rate at the beginning

// 1,060
std::string number_of(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string number_of(std::uint64_t n, std::string_view noun) {
  return number_of(n) + ' ' + std::string(noun) + (n == 1 ? "" : "s");
}

std::string place(const grid::Torus& torus, CellId cell) {
  return fmt::format("({}, {})", torus.row(cell), torus.column(cell));
}

// The newest generation that has a score, and the best of it.
struct LastScore {
  Generation generation = 0;
  float score = 0;
};
std::optional<LastScore> last_score(const std::vector<float>& best_scores) {
  for (std::size_t i = best_scores.size(); i > 0; --i) {
    if (!std::isnan(best_scores[i - 1])) {
      return LastScore{static_cast<Generation>(i), best_scores[i - 1]};
    }
  }
  return std::nullopt;
}

class Findings {
 public:
  explicit Findings(const RunRecord& run)
      : run_(run),
        history_(run.history),
        torus_(run.history.torus()),
        best_(best_generation(run.history)),
        last_(last_score(run.history.best_scores())) {}

  std::vector<Finding> all() {
    about_the_end();
    about_the_best();
    about_divergence();
    about_damage();
    about_workers();
    about_waiting();
    about_rates();
    about_diversity();
    about_classes();
    about_messages();
    std::ranges::stable_sort(found_, {}, &Finding::kind);
    return std::move(found_);
  }

 private:
  void say(Kind kind, std::string text, std::string advice = "") {
    found_.push_back({kind, std::move(text), std::move(advice)});
  }

  void about_the_end() {
    const Generation planned = run_.configuration.generations;
    if (history_.generations() == 0 && !run_.result) {
      return say(Kind::kWarning, "No generation is complete yet",
                 "While the run goes on, make the report again later; run.log says what it does.");
    }
    if (run_.result) return;
    const RunEvent* last = run_.events.empty() ? nullptr : &run_.events.back();
    std::string reason;
    if (last != nullptr && last->kind == RunEvent::Kind::kStopped)
      reason = ": it was stopped (" + last->text + ")";
    if (last != nullptr && last->kind == RunEvent::Kind::kFailed)
      reason = ": it failed (" + last->text + ")";
    say(Kind::kWarning,
        fmt::format("The run has not finished: {} of {}{}", number_of(history_.generations()),
                    number_of(planned, "generation"), reason),
        "If nothing works on it any more, `lipizz launch --resume` with its folder goes on.");
  }

  void about_the_best() {
    if (!best_ || !last_) {
      return say(Kind::kWarning, "There are no scores",
                 "Scores need at least one scored generation (score.every), and finite samples.");
    }
    const Generation n = history_.generations();
    if (last_->score > kWorseAtTheEnd * best_->score) {
      return say(
          Kind::kWarning,
          fmt::format("The best generation was {} of {}: {:.4g} in cell {}, and {:.4g} at the end",
                      number_of(best_->generation), number_of(n), best_->score,
                      place(torus_, best_->cell), last_->score),
          run_.has_best_mixture
              ? "mixture-best/ holds that mixture; mixture/ is that of the last generation."
              : "Only its picture was kept. A run with fewer generations, or one that stops "
                "when it no longer improves, ends nearer to it.");
    }
    if (run_.result && n >= kFewGenerations && best_->generation >= kStillFalling * n) {
      say(Kind::kInfo,
          fmt::format("The score still improved at the end: the best generation was {} of {}",
                      number_of(best_->generation), number_of(n)),
          fmt::format("More may be in it: `--resume` with `--generations {}` trains on.", 2 * n));
    }
  }

  void about_divergence() {
    const std::uint32_t n_cells = torus_.cells();
    std::vector<std::uint32_t> diverged;
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
      const auto& newest = history_.cell({cell}).newest;
      if (newest &&
          !(std::isfinite(newest->generator.loss) && std::isfinite(newest->discriminator.loss))) {
        diverged.push_back(cell);
      }
    }
    if (diverged.empty()) return;
    std::vector<std::string> places;
    for (std::size_t i = 0; i < std::min(diverged.size(), kNamedAtOnce); ++i) {
      places.push_back(place(torus_, {diverged[i]}));
    }
    if (diverged.size() > places.size()) places.emplace_back("...");
    say(Kind::kWarning,
        fmt::format("{} of {} ended with losses that are no number: {}", number_of(diverged.size()),
                    number_of(n_cells, "cell"), join(places)),
        "Lower learning rates, a penalty or spectral norm keep training finite.");
  }

  void about_damage() {
    if (history_.n_damaged() > 0) {
      say(Kind::kWarning,
          number_of(history_.n_damaged(), "line") + " of metrics.jsonl " +
              (history_.n_damaged() == 1 ? "is" : "are") + " damaged and left out here",
          "Check the disk. A resume goes on from the lines before them.");
    }
    const std::uint64_t expected = std::uint64_t{history_.generations()} * torus_.cells();
    const std::uint64_t told = history_.n_lines() + history_.n_damaged();
    if (told < expected) {
      say(Kind::kWarning, number_of(expected - told, "line") + " of metrics.jsonl missing",
          "Charts have gaps where cells did not tell.");
    }
    if (run_.n_damaged_events > 0) {
      say(Kind::kWarning,
          number_of(run_.n_damaged_events, "line") + " of events.jsonl cannot be read",
          "The time line is without them.");
    }
  }

  void about_workers() {
    std::vector<std::string> lost;
    for (const RunEvent& event : run_.events) {
      if (event.kind == RunEvent::Kind::kLost) lost.push_back(std::to_string(event.rank.value));
    }
    if (run_.events.empty() && run_.details) {
      for (const Rank rank : run_.details->lost) lost.push_back(std::to_string(rank.value));
    }
    if (!lost.empty()) {
      say(Kind::kWarning,
          fmt::format("{} {} lost: {}", number_of(lost.size(), "rank"),
                      lost.size() == 1 ? "was" : "were", join(lost)),
          "run.log says when and why. The result is that of an undisturbed run in synchronous "
          "mode.");
    }
  }

  void about_waiting() {
    if (!run_.details) return;
    if (run_.details->times.size() > 1) {  // others have no neighbours elsewhere
      about_waiting_for("neighbours", &ResultDetails::RankTime::waited_s,
                        "Ranks that share cores, hosts of different speed or an uneven number of "
                        "cells hold the others up: compare seconds and cells of the ranks below; "
                        "`placement` `measured` deals cells by speed, and `exchange` `async` does "
                        "not wait.");
    }
    about_waiting_for("helpers", &ResultDetails::RankTime::helpers_s,
                      "Steps are short beside what the ranks of a cell tell each other, or these "
                      "share cores: fewer `ranks_per_cell`, or `layout` `auto`, which looks at "
                      "both. In a pipeline stages wait for each other: fewer `pipeline.stages`, or "
                      "more `data.micro_batches`, on which results depend.");
  }

  void about_waiting_for(const char* whom, double ResultDetails::RankTime::*waited_s,
                         const char* advice) {
    const auto share = [waited_s](const ResultDetails::RankTime& time) {
      return time.total_s > 0 ? time.*waited_s / time.total_s : 0;
    };
    const auto& times = run_.details->times;
    const auto most = std::ranges::max_element(times, {}, share);
    if (most == times.end() || !(share(*most) >= kMuchWaiting)) return;
    const auto n =
        std::ranges::count_if(times, [&](const auto& time) { return share(time) >= kMuchWaiting; });
    say(Kind::kWarning,
        n == 1 ? fmt::format("Rank {} waited {:.0f} % of its time for {}", most->rank.value,
                             100 * share(*most), whom)
               : fmt::format("{} of {} ranks waited most of their time for {}, rank {} {:.0f} %",
                             number_of(static_cast<std::uint64_t>(n)), number_of(times.size()),
                             whom, most->rank.value, 100 * share(*most)),
        advice);
  }

  void about_rates() {
    for (const Figure figure : {Figure::kGeneratorRate, Figure::kDiscriminatorRate}) {
      const char* network = figure == Figure::kGeneratorRate ? "generator" : "discriminator";
      std::uint32_t n_left = 0;
      for (std::uint32_t cell = 0; cell < torus_.cells() && history_.generations() > 0; ++cell) {
        const float first = history_.at(figure, {cell}, 1);
        const float last = history_.at(figure, {cell}, history_.generations());
        if (first > 0 && last > 0 && (last > kRateHasLeft * first || first > kRateHasLeft * last))
          ++n_left;
      }
      if (n_left > 0) {
        say(Kind::kInfo,
            fmt::format("The learning rates of {} moved more than a hundredfold",
                        number_of(n_left, network)),
            "Mutation drives them; a smaller deviation of rate_mutation keeps them nearer.");
      }
    }
  }

  void about_diversity() {
    const Generation n = history_.generations();
    if (torus_.cells() == 1 || n < kFewGenerations) return;
    const Founders founders = founders_of(history_, NetworkRole::kGenerator, {});
    const auto one = std::ranges::find(founders.n_alive, 1.0F);
    if (one != founders.n_alive.end()) {
      say(Kind::kInfo,
          fmt::format("Since generation {} all generators descend from one cell's",
                      number_of(static_cast<std::uint64_t>(one - founders.n_alive.begin()) + 1)),
          "That is selection at work; weaker selection or a smaller neighbourhood keeps more "
          "apart.");
    }
  }

  void about_classes() {
    if (!best_) return;
    const CellId cell = run_.result ? run_.result->best_cell : best_->cell;
    const auto& scored = history_.cell(cell).newest_scored;
    if (!scored || scored->class_shares.size() < 2) return;
    const std::vector<double>& shares = scored->class_shares;
    const double even = 1 / static_cast<double>(shares.size());
    std::vector<std::string> rare;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] < kRareClass * even) rare.push_back(std::to_string(i));
    }
    if (rare.empty()) return;
    const std::size_t n = rare.size();
    if (n > kNamedAtOnce) rare.resize(kNamedAtOnce);
    if (n > kNamedAtOnce) rare.emplace_back("...");
    say(Kind::kWarning,
        fmt::format("{} of {} classes hold less than a quarter of an even share of the best cell's "
                    "samples: {}",
                    n, shares.size(), join(rare)),
        "Its generators have dropped part of the data: larger grids and neighbourhoods mix more "
        "generators, and conditional networks are told the class.");
  }

  void about_messages() {
    if (run_.details && run_.details->n_unauthenticated > 0) {
      say(Kind::kWarning,
          number_of(run_.details->n_unauthenticated, "message") +
              " bore no code of this run and were dropped",
          "Somebody else on the network speaks to its ports; tell who runs the cluster.");
    }
  }

  const RunRecord& run_;
  const History& history_;
  const grid::Torus& torus_;
  std::optional<BestGeneration> best_;
  std::optional<LastScore> last_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findings_of(const RunRecord& run) {
  return Findings(run).all();
}

}  // namespace lipizz::report
