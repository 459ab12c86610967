#pragma once

#include <functional>
#include <memory>

#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// A scorer that is made when it is first needed: training begins while its judge is on its way.
class DeferredScorer final : public Scorer {
 public:
  /// `metric`: the registered name. `make` is called once, by whichever method below needs the
  /// scorer first, and may wait; when it throws, the method throws the same and the next one calls
  /// it again.
  DeferredScorer(std::string_view metric, std::function<std::unique_ptr<Scorer>()> make)
      : metric_(metric), make_(std::move(make)) {}

  [[nodiscard]] bool is_made() const { return made_ != nullptr; }

  [[nodiscard]] std::string_view metric() const override { return metric_; }
  [[nodiscard]] std::uint32_t n_features() const override { return made().n_features(); }
  void features(std::span<const float> samples, std::span<float> out) override {
    made().features(samples, out);
  }
  [[nodiscard]] Statistics statistics(std::span<const float> features) const override {
    return made().statistics(features);
  }
  [[nodiscard]] Score score(const Statistics& statistics) const override {
    return made().score(statistics);
  }
  [[nodiscard]] Score held_out_score(const Statistics& statistics) override {
    return made().held_out_score(statistics);
  }
  [[nodiscard]] std::vector<float> test_features(std::uint32_t n_samples) override {
    return made().test_features(n_samples);
  }
  [[nodiscard]] std::uint64_t judge_hash() const override { return made().judge_hash(); }
  [[nodiscard]] std::uint32_t n_compared() const override { return made().n_compared(); }
  [[nodiscard]] std::span<const double> real_class_shares() const override {
    return made().real_class_shares();
  }
  [[nodiscard]] std::vector<float> class_probabilities(
      std::span<const float> features) const override {
    return made().class_probabilities(features);
  }

 private:
  Scorer& made() const {
    if (!made_) made_ = make_();
    return *made_;
  }

  std::string_view metric_;
  std::function<std::unique_ptr<Scorer>()> make_;
  mutable std::unique_ptr<Scorer> made_;
};

}  // namespace lipizz::metrics
