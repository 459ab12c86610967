#include "checkpoint/weights.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "checkpoint/network_description.hpp"
#include "checkpoint/support.hpp"
#include "core/error.hpp"
#include "nn/base/buffer.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/normalisation.hpp"

namespace lipizz::checkpoint::weights_test {
namespace {

using ::testing::ElementsAre;

nn::NetworkSpec small_network() {
  return {{3}, {{2, nn::Activation::kLeakyRelu}, {1}}};
}

// 1, 2, 3 ... in the order of the buffer, then zeros.
nn::Buffer<float> counted(const nn::NetworkSpec& network) {
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  nn::Buffer<float> parameters(layout.n_padded);
  std::iota(parameters.begin(),
            parameters.begin() + static_cast<std::ptrdiff_t>(layout.n_parameters), 1.0f);
  return parameters;
}

std::vector<float> floats(const TensorView& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::ranges::copy(tensor.data, std::as_writable_bytes(std::span(values)).begin());
  return values;
}

TEST(Weights, are_named_and_shaped_as_a_stack_of_linear_layers_in_pytorch) {
  const TemporaryFolder folder;
  write_weights(folder / "x", small_network(), counted(small_network()), {{"cell", "3"}});
  const TensorFile file = read_tensors(folder / "x");
  EXPECT_EQ(file.metadata(), (Metadata{{"cell", "3"},
                                       {"format", "pt"},
                                       {"network", network_description(small_network())}}));
  ASSERT_EQ(file.tensors().size(), 4U);
  EXPECT_EQ(file.tensors()[0].name, "0.weight");
  EXPECT_THAT(file.tensors()[0].shape, ElementsAre(2, 3));
  // In the buffer [3, 2]: 1 2 / 3 4 / 5 6.
  EXPECT_THAT(floats(file.tensors()[0]), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_EQ(file.tensors()[1].name, "0.bias");
  EXPECT_THAT(file.tensors()[1].shape, ElementsAre(2));
  EXPECT_THAT(floats(file.tensors()[1]), ElementsAre(7, 8));
  EXPECT_EQ(file.tensors()[2].name, "2.weight") << "the activation is the module between";
  EXPECT_THAT(file.tensors()[2].shape, ElementsAre(1, 2));
  EXPECT_THAT(floats(file.tensors()[2]), ElementsAre(9, 10));
  EXPECT_EQ(file.tensors()[3].name, "2.bias");
  EXPECT_THAT(floats(file.tensors()[3]), ElementsAre(11));
}

TEST(Weights, keep_every_bit) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{{64}, {{256, nn::Activation::kTanh}, {7}}};
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  nn::initialise(network, Random(1, Purpose::kTest), parameters);
  write_weights(folder / "x", network, parameters);
  const TensorFile file = read_tensors(folder / "x");
  const std::vector<float> theirs = floats(file.tensors()[0]);
  ASSERT_EQ(theirs.size(), 256U * 64);
  for (std::size_t out = 0; out < 256; ++out) {
    for (std::size_t in = 0; in < 64; ++in) {
      EXPECT_EQ(theirs[out * 64 + in], parameters[in * 256 + out]);
    }
  }
}

// Ours [k, k, inputs, outputs], PyTorch's [outputs, inputs, k, k]; statistics come last.
TEST(Weights, of_convolutions_are_in_the_order_of_other_frameworks) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{
      {5, 4, 2},
      {{3, nn::Activation::kTanh, &nn::kConvolutionLayer, {.kernel = 2}, false},
       {.kind = &nn::kBatchNormLayer}}};
  const nn::Buffer<float> parameters = counted(network);
  write_weights(folder / "x", network, parameters);
  const TensorFile file = read_tensors(folder / "x");
  std::vector<std::string> names;
  for (const TensorView& tensor : file.tensors()) names.push_back(tensor.name);
  EXPECT_THAT(names,
              ElementsAre("0.weight", "2.weight", "2.bias", "2.running_mean", "2.running_var"));
  ASSERT_THAT(file.tensors()[0].shape, ElementsAre(3, 2, 2, 2));
  const std::vector<float> theirs = floats(file.tensors()[0]);
  // Output 1 of input 0, window element (1, 0): in ours at ((1 * 2 + 0) * 2 + 0) * 3 + 1.
  EXPECT_EQ(theirs[((1 * 2 + 0) * 2 + 1) * 2 + 0], parameters[13]);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::size_t out = i / 8;
    const std::size_t in = i / 4 % 2;
    const std::size_t element = i % 4;
    EXPECT_EQ(theirs[i], parameters[(element * 2 + in) * 3 + out]);
  }
}

// PyTorch's Embedding.weight is [num_embeddings, embedding_dim], our table as it lies; a Linear's
// is transposed.
TEST(Weights, of_embeddings_keep_a_row_for_each_class) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{
      {2}, {{.outputs = 2, .kind = &nn::kEmbeddingLayer}}, &nn::kUniform, 3};
  const nn::Buffer<float> parameters = counted(network);
  write_weights(folder / "x", network, parameters);
  const TensorFile file = read_tensors(folder / "x");
  ASSERT_EQ(file.tensors().size(), 1U);
  EXPECT_EQ(file.tensors()[0].name, "0.weight");
  EXPECT_THAT(file.tensors()[0].shape, ElementsAre(3, 2));
  EXPECT_THAT(floats(file.tensors()[0]), ElementsAre(1, 2, 3, 4, 5, 6));
}

// A diagonal matrix, whose singular value is its largest element.
TEST(Weights, under_spectral_norm_are_as_they_are_used) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{{2},
                                {{.outputs = 2, .has_bias = false, .has_spectral_norm = true}}};
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  const auto place = [&](const nn::ParameterBlock& block, std::vector<float> values) {
    std::ranges::copy(values, parameters.begin() + static_cast<std::ptrdiff_t>(block.offset));
  };
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  place(layout.blocks[0], {4, 0, 0, 2});
  place(layout.statistics[0], {1, 0});
  place(layout.statistics[1], {1, 0});
  write_weights(folder / "x", network, parameters);
  const TensorFile file = read_tensors(folder / "x");
  ASSERT_EQ(file.tensors().size(), 1U) << "the singular vectors are for training alone";
  EXPECT_THAT(floats(file.tensors()[0]), ElementsAre(1, 0, 0, 0.5f));
}

TEST(Weights, are_read_as_they_were_written) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{
      {5, 4, 2},
      {{3, nn::Activation::kTanh, &nn::kConvolutionLayer, {.kernel = 2}, false},
       {.kind = &nn::kBatchNormLayer},
       {.outputs = 4, .kind = &nn::kTransposedConvolutionLayer, .window = {.kernel = 3}},
       {.outputs = 7}}};
  nn::Buffer<float> parameters = counted(network);
  for (const nn::ParameterBlock& block : nn::parameter_layout(network).statistics) {
    parameters[block.offset] = 0.5f;
  }
  write_weights(folder / "x", network, parameters);
  EXPECT_EQ(read_weights(folder / "x", network), parameters);
}

TEST(Weights, under_spectral_norm_are_read_as_they_are_used) {
  const TemporaryFolder folder;
  const nn::NetworkSpec network{{3}, {{.outputs = 4, .has_spectral_norm = true}}};
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  nn::initialise(network, Random(1, Purpose::kTest), parameters);
  write_weights(folder / "x", network, parameters);
  const nn::NetworkSpec plain = nn::without_spectral_norm(network);
  const nn::Buffer<float> read = read_weights(folder / "x", plain);
  ASSERT_EQ(read.size(), nn::parameter_layout(plain).n_padded);
  const float ratio = read[0] / parameters[0];
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(read[i], ratio * parameters[i], 1e-6);
  EXPECT_TRUE(std::equal(read.begin() + 12, read.begin() + 16, parameters.begin() + 12)) << "bias";
}

TEST(Weights, of_another_network_are_refused) {
  const TemporaryFolder folder;
  write_weights(folder / "x", small_network(), counted(small_network()));
  const auto expect = [&](const nn::NetworkSpec& network, const std::string& message) {
    EXPECT_THAT([&] { read_weights(folder / "x", network); },
                ::testing::ThrowsMessage<CheckpointError>(::testing::HasSubstr(message)));
  };
  expect({{4}, {{2, nn::Activation::kLeakyRelu}, {1}}},
         "0.weight: expected F32 [2, 4], found F32 [2, 3]; the file is of another network");
  expect({{3}, {{2, nn::Activation::kLeakyRelu}, {1}, {1}}},
         "3.weight: expected F32 [1, 1], found no tensor of that name");
  expect({{3}, {{2, nn::Activation::kLeakyRelu}}}, "expected 2 tensors, found 4");
}

}  // namespace
}  // namespace lipizz::checkpoint::weights_test
