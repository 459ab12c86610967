#include "nn/loss.hpp"

#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/text.hpp"

namespace lipizz::nn {
namespace {

// Generic lambdas without captures, so that each serves both precisions.
template <class Value, class Slope>
constexpr Loss::Term term(Value value, Slope slope) {
  return {value, slope, value, slope};
}

template <class T>
T square(T x) {
  return x * x;
}

// s and s - 1 with s = sigmoid(l), the latter without cancellation, and ds/dl.
constexpr auto s = [](auto l) { return math::sigmoid(l); };
constexpr auto s_minus_1 = [](auto l) { return -math::sigmoid(-l); };
constexpr auto ds = [](auto l) { return math::sigmoid(l) * math::sigmoid(-l); };

// -log D and -log(1 - D), whole and halved.
constexpr auto minus_log_d = term([](auto l) { return math::softplus(-l); }, s_minus_1);
constexpr auto minus_log_not_d = term([](auto l) { return math::softplus(l); }, s);
constexpr auto half_minus_log_d =
    term([](auto l) { return math::softplus(-l) / 2; }, [](auto l) { return s_minus_1(l) / 2; });
constexpr auto half_minus_log_not_d =
    term([](auto l) { return math::softplus(l) / 2; }, [](auto l) { return s(l) / 2; });
constexpr auto half_log_not_d =
    term([](auto l) { return -math::softplus(l) / 2; }, [](auto l) { return -s(l) / 2; });
constexpr auto square_to_1 = term([](auto l) { return square(s_minus_1(l)); },
                                  [](auto l) { return 2 * s_minus_1(l) * ds(l); });
constexpr auto square_to_0 =
    term([](auto l) { return square(s(l)); }, [](auto l) { return 2 * s(l) * ds(l); });

double mean(const Loss::Term& term, std::span<const float> logits) {
  double sum = 0;
  for (const float logit : logits) sum += static_cast<double>(term.value(logit));
  return sum / static_cast<double>(logits.size());
}

}  // namespace

std::span<const Loss> losses() {
  static constexpr std::array kLosses{
      Loss{"bce",
           "G: -log D(G(z)); D: -log D(x) - log(1 - D(G(z))). Lipizzaner's default "
           "(Goodfellow et al. 2014, non-saturating)",
           minus_log_d, minus_log_d, minus_log_not_d},
      Loss{"minimax",
           "G: 1/2 log(1 - D(G(z))); D: half of bce. The true minimax of E-GAN and Mustangs "
           "(Wang et al. 2019), which the published code leaves out",
           half_log_not_d, half_minus_log_d, half_minus_log_not_d},
      Loss{"heuristic", "G: -1/2 log D(G(z)); D: half of bce (Wang et al. 2019)", half_minus_log_d,
           half_minus_log_d, half_minus_log_not_d},
      Loss{"mse",
           "G: (D(G(z)) - 1)^2; D: (D(x) - 1)^2 + D(G(z))^2, on the sigmoid (Mao et al. 2017 on "
           "probabilities, as in Mustangs)",
           square_to_1, square_to_1, square_to_0},
  };
  return kLosses;
}

LossId find_loss(std::string_view name) {
  std::vector<std::string> names;
  for (LossId id = 0; id < losses().size(); ++id) {
    if (losses()[id].name == name) return id;
    names.emplace_back(losses()[id].name);
  }
  throw ConfigError("there is no loss \"" + std::string(name) + "\"" + suggestion(name, names));
}

double generator_loss(LossId loss, std::span<const float> fake_logits) {
  return mean(losses()[loss].generator, fake_logits);
}

double discriminator_loss(LossId loss, std::span<const float> real_logits,
                          std::span<const float> fake_logits) {
  return mean(losses()[loss].real, real_logits) + mean(losses()[loss].fake, fake_logits);
}

}  // namespace lipizz::nn
