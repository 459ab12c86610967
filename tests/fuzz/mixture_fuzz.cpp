// The description of a saved mixture: it is taken, or refused by an error, whatever sizes it
// claims.
#include <string_view>

#include "fuzz.hpp"
#include "nn/network/network.hpp"
#include "worker/saved_mixture.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  using namespace lipizz;
  const std::string_view text(reinterpret_cast<const char*>(data), n_bytes);
  fuzz::accepts([&] {
    const auto mixture = worker::parse_mixture_description(text, "fuzz");
    // A model that is taken can be laid out, for its files of weights to be held against.
    static_cast<void>(nn::parameter_layout(mixture.model.generator));
  });
  return 0;
}
