#pragma once

#include "config/check.hpp"

namespace lipizz::config {

/// Names as the registries hold them, for tests that do not link those.
inline Names test_names() {
  return {
      {"datasets", {"glyphs", "ring8", "grid25", "mnist", "fashion-mnist", "cifar10", "facades"}},
      {"devices", {"cpu"}},
      {"engines", {"reference", "onednn"}},
      {"losses", {"bce", "minimax", "heuristic", "mse", "hinge", "wasserstein", "pix2pix"}},
      {"metrics", {"frechet", "blocks", "modes"}},
      {"models", {"mlp", "mlp-2d", "dcgan28", "dcgan32", "sngan32", "biggan32", "pix2pix"}},
      {"neighbourhoods", {"cross5", "moore9", "ring3", "ring5", "isolated"}},
      {"optimizers", {"adam", "sgd", "rmsprop"}},
      {"penalties", {"wgan-gp", "r1", "dragan"}}};
}

}  // namespace lipizz::config
