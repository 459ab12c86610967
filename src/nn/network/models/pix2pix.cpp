#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/models.hpp"

// Isola et al. 2017, as in their PyTorch code: a U-Net, and a discriminator of patches.
namespace lipizz::nn {
namespace {

constexpr Window kHalving{.kernel = 4, .stride = 2, .padding = 1};
constexpr Window kSliding{.kernel = 4, .stride = 1, .padding = 1};
constexpr auto kNone = Activation::kNone;
constexpr auto kLeaky = Activation::kLeakyRelu;

std::uint32_t add_batch_norm(NetworkSpec& network, Activation activation = kNone) {
  return append(network, {.activation = activation, .kind = &kBatchNormLayer});
}

// Halves the image, one width after the other; the numbers of the layers with each stage's result.
std::vector<std::uint32_t> add_way_down(NetworkSpec& g, const std::vector<std::uint32_t>& widths) {
  std::vector<std::uint32_t> stages;
  for (const std::uint32_t width : widths) {
    if (!stages.empty()) append(g, {.activation = kLeaky, .kind = &kActivationLayer});
    std::uint32_t stage = append(g, {width, kNone, &kConvolutionLayer, kHalving, false});
    const bool is_normed = !stages.empty() && stages.size() + 1 < widths.size();
    if (is_normed) stage = add_batch_norm(g);
    stages.push_back(stage);
  }
  return stages;
}

// `widths` are the encoder's; the first `n_dropout` stages of the decoder but the innermost drop
// half.
NetworkSpec generator(Shape condition, std::uint32_t n_made, std::vector<std::uint32_t> widths,
                      std::size_t n_dropout) {
  NetworkSpec g{std::move(condition), {}, &kNormal02};
  const std::vector<std::uint32_t> stages = add_way_down(g, widths);
  std::uint32_t below = stages.back();
  for (std::size_t i = widths.size() - 1; i-- > 0;) {
    append(g, {.activation = Activation::kRelu, .kind = &kActivationLayer, .from = {below}});
    append(g, {widths[i], kNone, &kTransposedConvolutionLayer, kHalving, false});
    add_batch_norm(g);
    const std::size_t depth = widths.size() - 2 - i;
    if (depth >= 1 && depth <= n_dropout) append(g, {.kind = &kDropoutLayer, .rate = 0.5f});
    below = append(g, {.kind = &kConcatenateLayer,
                       .from = {stages[i], static_cast<std::uint32_t>(g.layers.size())}});
  }
  append(g, {.activation = Activation::kRelu, .kind = &kActivationLayer});
  const std::uint32_t made =
      append(g, {n_made, Activation::kTanh, &kTransposedConvolutionLayer, kHalving});
  append(g, {.kind = &kConcatenateLayer, .from = {0, made}});
  return g;
}

// Convolutions of 4x4: halvings to each of `widths` but the last, two that slide.
NetworkSpec patch_discriminator(Shape pair, const std::vector<std::uint32_t>& widths) {
  NetworkSpec d{std::move(pair), {}, &kNormal02};
  append(d, {widths.front(), kLeaky, &kConvolutionLayer, kHalving});
  for (std::size_t i = 1; i < widths.size(); ++i) {
    const Window window = i + 1 < widths.size() ? kHalving : kSliding;
    append(d, {widths[i], kNone, &kConvolutionLayer, window, false});
    add_batch_norm(d, kLeaky);
  }
  append(d, {1, kNone, &kConvolutionLayer, kSliding});
  return d;
}

// The widths of the encoder, which halves a picture eight times at most.
std::vector<std::uint32_t> widths_for(const Shape& pair) {
  std::vector<std::uint32_t> widths;
  std::uint32_t height = pair[0];
  std::uint32_t width = pair[1];
  for (; height % 2 == 0 && width % 2 == 0 && widths.size() < 8; height /= 2, width /= 2) {
    widths.push_back(64U << std::min<std::size_t>(widths.size(), 3));
  }
  return widths;
}

// For 256x256x6, 3 of them given, 54,413,955 and 2,768,705 parameters; 30x30 logits, each of a
// patch of 70x70.
GanSpec pix2pix(const ModelSamples& samples) {
  const Shape& pair = samples.shape;
  const std::uint32_t n_given = samples.n_condition_channels;
  constexpr std::size_t kFewestHalvings = 4;
  const bool is_pair = pair.size() == 3 && n_given > 0 && n_given < pair[2];
  const auto widths = is_pair ? widths_for(pair) : std::vector<std::uint32_t>();
  if (widths.size() < kFewestHalvings || std::min(pair[0], pair[1]) < 32) {
    throw ConfigError(
        "model pix2pix is made for pairs of images whose height and width are multiples of 16 from "
        "32 on; found " +
        describe(samples));
  }
  return {generator({pair[0], pair[1], n_given}, pair[2] - n_given, widths, 3),
          patch_discriminator(pair, {64, 128, 256, 512}), n_given};
}

// The same idea for small grey pairs.
GanSpec pix2pix32(const ModelSamples&) {
  return {generator({32, 32, 1}, 1, {16, 32, 64, 64}, 1),
          patch_discriminator({32, 32, 2}, {16, 32}), 1};
}

ModelSamples colour_pairs() {
  return {.shape = {256, 256, 6}, .n_condition_channels = 3};
}

ModelSamples small_grey_pairs() {
  return {.shape = {32, 32, 2}, .n_condition_channels = 1};
}

}  // namespace

const ModelEntry kPix2pix{"pix2pix",
                          "pairs of images of 256x256 or another size that halves: U-Net and 70x70 "
                          "PatchGAN (Isola et al. 2017); meant for the loss pix2pix, Adam (0.5, "
                          "0.999), batches of 1",
                          pix2pix,
                          colour_pairs,
                          false,
                          true};
const ModelEntry kPix2pix32{"pix2pix32", "32x32 grey pairs: pix2pix made small", pix2pix32,
                            small_grey_pairs};

}  // namespace lipizz::nn
