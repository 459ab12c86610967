#include "nn/losses/wasserstein.hpp"

#include "nn/losses/terms.hpp"

namespace lipizz::nn {
namespace {

constexpr auto up = term([](auto l) { return -l; }, [](auto l) { return decltype(l){-1}; });
constexpr auto down = term([](auto l) { return l; }, [](auto l) { return decltype(l){1}; });

}  // namespace

const Loss kWasserstein{"wasserstein",
                        "G: -l(G(z)); D: l(G(z)) - l(x), on the logits l of a critic that clipping "
                        "keeps Lipschitz (Arjovsky et al. 2017)",
                        up, up, down};

}  // namespace lipizz::nn
