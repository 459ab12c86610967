#include "core/synonyms.hpp"

#include <algorithm>
#include <array>

namespace lipizz {
namespace {

struct Synonym {
  std::string_view word;
  std::string_view ours;
};

constexpr std::array kSynonyms{
    Synonym{.word = "epoch", .ours = "generations"},
    Synonym{.word = "epochs", .ours = "generations"},
    Synonym{.word = "iterations", .ours = "generations"},
    Synonym{.word = "n_epochs", .ours = "generations"},
    Synonym{.word = "lr", .ours = "learning_rate"},
    Synonym{.word = "batch", .ours = "batch_size"},
    Synonym{.word = "batchsize", .ours = "batch_size"},
    Synonym{.word = "bs", .ours = "batch_size"},
    Synonym{.word = "gpu", .ours = "cuda"},
    Synonym{.word = "gpus", .ours = "device"},
    Synonym{.word = "n", .ours = "workers"},
    Synonym{.word = "np", .ours = "workers"},
    Synonym{.word = "data", .ours = "dataset"},
    Synonym{.word = "dtype", .ours = "precision"},
    Synonym{.word = "backend", .ours = "engine"},
    Synonym{.word = "out", .ours = "output"},
    Synonym{.word = "output_dir", .ours = "output"},
    Synonym{.word = "validate", .ours = "check"},
    Synonym{.word = "show", .ours = "print"},
    Synonym{.word = "run", .ours = "train"},
    Synonym{.word = "start", .ours = "train"},
};

}  // namespace

std::string our_word_for(std::string_view word) {
  std::string same(word);
  std::ranges::replace(same, '-', '_');
  const auto* const found = std::ranges::find(kSynonyms, same, &Synonym::word);
  return found == kSynonyms.end() ? same : std::string(found->ours);
}

}  // namespace lipizz
