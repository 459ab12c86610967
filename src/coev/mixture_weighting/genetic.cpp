#include "coev/mixture_weighting/genetic.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "coev/mixture.hpp"
#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "population",
              .lowest = 4,
              .highest = 1000,
              .initial = 30,
              .unit = "individuals",
              .summary = "Vectors of weights in a generation of the search.",
              .is_whole = true},
    Parameter{.name = "generations",
              .lowest = 0,
              .highest = 10'000,
              .initial = 30,
              .unit = "generations",
              .summary = "Generations of the search.",
              .is_whole = true},
    Parameter{.name = "tournament",
              .lowest = 1,
              .highest = 100,
              .initial = 3,
              .unit = "individuals",
              .summary = "How many are drawn for a parent, of which the best becomes it.",
              .is_whole = true},
    Parameter{.name = "crossover",
              .lowest = 0,
              .highest = 1,
              .initial = 0.8,
              .summary = "Probability that a child has weights of two parents."},
    Parameter{.name = "mutation",
              .lowest = 0,
              .highest = 100,
              .initial = 1.5,
              .unit = "weights",
              .summary = "How many weights of a child change, on average."},
    Parameter{.name = "sigma",
              .lowest = 0,
              .highest = 1,
              .initial = 0.1,
              .summary = "Standard deviation of a weight's step."}};

// In the order of their declaration.
struct Values {
  explicit Values(ParameterValues values)
      : population(static_cast<std::uint32_t>(values[0])),
        generations(static_cast<std::uint32_t>(values[1])),
        tournament(static_cast<std::uint32_t>(values[2])),
        crossover(values[3]),
        mutation(values[4]),
        sigma(values[5]) {}

  std::uint32_t population;
  std::uint32_t generations;
  std::uint32_t tournament;
  double crossover;
  double mutation;
  double sigma;
};

// The random numbers of one individual, one after the other.
class Draws {
 public:
  Draws(const Random& random, std::uint32_t individual)
      : random_(random), individual_(individual) {}

  bool happens(double probability) { return uniform() < probability; }
  double uniform() { return random_.uniform(individual_, next_++); }
  double normal() { return random_.normal(individual_, next_++); }
  std::uint32_t below(std::uint32_t n) { return random_.below(n, individual_, next_++); }

 private:
  const Random& random_;
  std::uint32_t individual_;
  std::uint32_t next_ = 0;
};

struct Individual {
  std::vector<double> weights;
  double score = std::numeric_limits<double>::quiet_NaN();
};
using Population = std::vector<Individual>;

bool is_fitter(const Individual& a, const Individual& b) {
  return is_better(a.score, b.score);
}

class Search {
 public:
  Search(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues values)
      : weights_(weights), input_(input), values_(values) {}

  void run() {
    Population population = first_population();
    for (std::uint32_t generation = 1; generation <= values_.generations; ++generation) {
      population = next_population(population, generation);
    }
    std::ranges::copy(fittest(population).weights, weights_.begin());
  }

 private:
  [[nodiscard]] Individual scored(std::vector<double> weights) const {
    Individual individual{std::move(weights)};
    individual.score = input_.score(individual.weights);
    return individual;
  }
  // The first one of several alike, so that nothing else takes the place of what is as good.
  static const Individual& fittest(const Population& population) {
    return *std::ranges::min_element(population, is_fitter);
  }

  [[nodiscard]] Population first_population() const {
    const std::size_t n = weights_.size();
    Population population{scored({weights_.begin(), weights_.end()})};
    population.push_back(scored(std::vector<double>(n, 1.0 / static_cast<double>(n))));
    population.push_back(best_alone());
    while (population.size() < values_.population) {
      Draws draws(input_.random, static_cast<std::uint32_t>(population.size()));
      population.push_back(scored(random_weights(draws)));
    }
    return population;
  }
  [[nodiscard]] Individual best_alone() const {
    Population alone;
    for (std::size_t member = 0; member < weights_.size(); ++member) {
      std::vector<double> weights(weights_.size());
      weights[member] = 1;
      alone.push_back(scored(std::move(weights)));
    }
    return fittest(alone);
  }
  [[nodiscard]] std::vector<double> random_weights(Draws& draws) const {
    std::vector<double> weights(weights_.size());
    for (double& weight : weights) {
      if (draws.happens(0.5)) weight = draws.uniform();
    }
    normalise(weights);
    return weights;
  }

  [[nodiscard]] Population next_population(const Population& parents,
                                           std::uint32_t generation) const {
    Population children{fittest(parents)};
    while (children.size() < values_.population) {
      const auto number = static_cast<std::uint32_t>(children.size());
      Draws draws(input_.random, generation * values_.population + number);
      children.push_back(scored(child_of(parents, draws)));
    }
    return children;
  }
  [[nodiscard]] std::vector<double> child_of(const Population& parents, Draws& draws) const {
    std::vector<double> child = parent(parents, draws).weights;
    const Individual& other = parent(parents, draws);
    if (draws.happens(values_.crossover)) {
      for (std::size_t i = 0; i < child.size(); ++i) {
        if (draws.happens(0.5)) child[i] = other.weights[i];
      }
    }
    mutate(child, draws);
    normalise(child);
    return child;
  }
  [[nodiscard]] const Individual& parent(const Population& population, Draws& draws) const {
    const auto n = static_cast<std::uint32_t>(population.size());
    const Individual* best = &population[draws.below(n)];
    for (std::uint32_t i = 1; i < values_.tournament; ++i) {
      const Individual& other = population[draws.below(n)];
      if (is_fitter(other, *best)) best = &other;
    }
    return *best;
  }
  void mutate(std::span<double> child, Draws& draws) const {
    const double rate = values_.mutation / static_cast<double>(child.size());
    const double greatest = std::ranges::max(child);
    for (double& weight : child) {
      if (!draws.happens(rate)) continue;
      if (weight == 0) {
        weight = greatest * draws.uniform();
      } else if (draws.happens(0.5)) {
        weight = 0;
      } else {
        weight = std::max(0.0, weight + values_.sigma * draws.normal());
      }
    }
  }

  std::span<double> weights_;
  const MixtureWeightingInput& input_;
  Values values_;
};

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues values) {
  Search(weights, input, values).run();
}

}  // namespace

constinit const MixtureWeighting kGeneticWeighting{
    .name = "genetic",
    .summary =
        "a genetic algorithm that leaves members out and takes them back (REO-GEN, Toutouh et al. "
        "2020)",
    .parameters = kParameters,
    .find = find};

}  // namespace lipizz::coev
