// A cell's file whose container is whole: its tensors are changed behind the hash's back.
#include <map>
#include <string>
#include <vector>

#include "checkpoint/safetensors.hpp"
#include "coev/mixture.hpp"
#include "fuzz.hpp"
#include "worker/cell_file.hpp"

namespace {

using namespace lipizz;

coev::Settings small_settings() {
  coev::Settings settings;
  const nn::NetworkSpec tiny{{2}, {{3, nn::Activation::kTanh}, {2}}};
  const nn::NetworkSpec judge{{2}, {{1}}};
  settings.model = {tiny, judge};
  return settings;
}

coev::CellState some_state(const coev::Settings& settings) {
  coev::CellState state;
  state.id = {1};
  state.generation = 5;
  const auto shapes = coev::genome_shapes(settings);
  state.centre.generator = shapes.generator.make();
  state.centre.discriminator = shapes.discriminator.make();
  state.mixture = {{{1}, {0}}, {0.5, 0.5}};
  return state;
}

// The bytes tell, three at a time, which tensor is dropped, renamed, reshaped or overwritten.
void change(std::vector<checkpoint::TensorView>& tensors, std::map<std::size_t, Bytes>& contents,
            std::span<const std::uint8_t> orders) {
  for (std::size_t i = 0; i + 2 < orders.size() && !tensors.empty(); i += 3) {
    const std::size_t which = orders[i] % tensors.size();
    checkpoint::TensorView& tensor = tensors[which];
    switch (orders[i + 1] % 4) {
      case 0:
        tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(which));
        break;
      case 1:
        tensor.name += static_cast<char>('a' + orders[i + 2] % 26);
        break;
      case 2: {
        const std::uint64_t n = 1 + orders[i + 2];
        auto& content = contents[i];
        content.assign(n * size_of(tensor.type), std::byte{orders[i]});
        tensor.shape = {n};
        tensor.data = content;
        break;
      }
      default: {
        auto& content = contents[i];
        content.assign(tensor.data.begin(), tensor.data.end());
        content[orders[i] % content.size()] = std::byte{orders[i + 2]};
        tensor.data = content;
      }
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  static const coev::Settings settings = small_settings();
  static const checkpoint::CellOrigin origin{
      .cell = {1},
      .generation = 5,
      .lineage = {.configuration = 1, .numerics = "baseline", .dataset = 2, .judge = 3}};
  const checkpoint::TensorFile whole = checkpoint::decode_tensors(
      worker::encode_cell(settings, some_state(settings), origin), "fuzz");
  std::vector<checkpoint::TensorView> tensors(whole.tensors().begin(), whole.tensors().end());
  std::map<std::size_t, Bytes> contents;
  change(tensors, contents, std::span(data, n_bytes));
  std::map<std::string, int> names;
  for (const auto& tensor : tensors) {
    if (++names[tensor.name] > 1) return 0;  // no writer makes these
  }
  const checkpoint::TensorFile changed =
      checkpoint::decode_tensors(checkpoint::encode_tensors(tensors, whole.metadata()), "fuzz");
  fuzz::accepts([&] {
    // A state that is taken can be sampled from.
    const coev::CellState state = worker::decode_cell(changed, "fuzz", settings, 2, origin);
    coev::apportion(state.mixture.weights, 1000);
  });
  return 0;
}
