#include "nn/losses/cross_entropy.hpp"

#include "nn/losses/terms.hpp"

namespace lipizz::nn {
namespace {

// -log D and -log(1 - D), whole and halved.
constexpr auto minus_log_d = term([](auto l) { return math::softplus(-l); }, sigmoid_minus_1);
constexpr auto minus_log_not_d = term([](auto l) { return math::softplus(l); }, sigmoid);
constexpr auto half_minus_log_d = term([](auto l) { return math::softplus(-l) / 2; },
                                       [](auto l) { return sigmoid_minus_1(l) / 2; });
constexpr auto half_minus_log_not_d =
    term([](auto l) { return math::softplus(l) / 2; }, [](auto l) { return sigmoid(l) / 2; });
constexpr auto half_log_not_d =
    term([](auto l) { return -math::softplus(l) / 2; }, [](auto l) { return -sigmoid(l) / 2; });

}  // namespace

const Loss kBce{"bce",
                "G: -log D(G(z)); D: -log D(x) - log(1 - D(G(z))). Lipizzaner's default "
                "(Goodfellow et al. 2014, non-saturating)",
                minus_log_d, minus_log_d, minus_log_not_d};
const Loss kMinimax{"minimax",
                    "G: 1/2 log(1 - D(G(z))); D: half of bce. The true minimax of E-GAN and "
                    "Mustangs (Wang et al. 2019), which the published code leaves out",
                    half_log_not_d, half_minus_log_d, half_minus_log_not_d};
const Loss kHeuristic{"heuristic", "G: -1/2 log D(G(z)); D: half of bce (Wang et al. 2019)",
                      half_minus_log_d, half_minus_log_d, half_minus_log_not_d};
const Loss kPix2pixLoss{"pix2pix", "G: -log D(G(x)); D: half of bce (Isola et al. 2017)",
                        minus_log_d, half_minus_log_d, half_minus_log_not_d};

}  // namespace lipizz::nn
