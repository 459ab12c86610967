// Publications that a cell takes from its neighbours, and what a rank takes from another one:
// dataset handles, and the training that a helper shares.
#include "coev/neighbours.hpp"
#include "coev/shared_training.hpp"
#include "data/stored_dataset.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  static const coev::Settings settings = [] {
    coev::Settings tiny;
    tiny.model = {{{2}, {{2}}}, {{2}, {{1}}}};
    return tiny;
  }();
  static const coev::Settings scaled = [] {
    coev::Settings dynamic = settings;
    dynamic.discriminator.optimizer.mixed = {nn::Half::kFp16};
    return dynamic;
  }();
  const auto input = fuzz::bytes(data, n_bytes);
  coev::Neighbours neighbours(settings);
  fuzz::accepts([&] { neighbours.receive({0}, 0, input); });
  fuzz::accepts([&] { neighbours.receive_newer({0}, input); });
  fuzz::accepts([&] { coev::ReceivedTraining(input, scaled); });
  fuzz::accepts([&] { data::StoredDataset::open("glyphs", 0, input); });
  return 0;
}
