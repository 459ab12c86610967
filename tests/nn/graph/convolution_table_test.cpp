#include "nn/graph/convolution_table.hpp"

#include <gmock/gmock.h>

#include <tuple>

#include "core/error.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn::convolution_table_test {
namespace {

using ::testing::HasSubstr;

const std::string kRow =
    R"({"operation":"convolution","x":[2,8,8,16],"y":[2,4,4,32],"kernel":4,"stride":2,"padding":1,)"
    R"("precision":"f32","numerics":"avx2","algorithm":"im2col"})";

ConvolutionTable parsed(const std::string& text) {
  return ConvolutionTable::parse(text, "a test");
}

std::string complaint(const std::string& text) {
  try {
    parsed(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

std::string with(std::string_view from, std::string_view to) {
  std::string row = kRow;
  return row.replace(row.find(from), from.size(), to);
}

ConvolutionCase some_case() {
  return {"convolution", {{2, 8, 8, 16}, {2, 4, 4, 32}, {4, 2, 1}}, NumericsLevel::kAvx2};
}

// A graph of the convolution of some_case().
Graph some_graph() {
  Graph g;
  const SlotId slot = g.add_slot("", 20'000, Slot::Access::kReadWrite);
  const ValueId y =
      g.apply(kConvolution, {g.view(slot, 0, {2, 8, 8, 16}), g.view(slot, 0, {4, 4, 16, 32})},
              {.window = {4, 2, 1}});
  g.place(y, slot, 0);
  return g;
}

ConvolutionAlgorithm chosen(const Engine& engine) {
  Graph g = some_graph();
  choose_algorithms(engine, g);
  return g.node(g.live_operations().front()).attributes.algorithm;
}

TEST(ConvolutionTable, what_was_written_is_read_back) {
  ConvolutionTable table;
  EXPECT_EQ(parsed(table.to_json()).to_json(), table.to_json());
  table.set(some_case(), {ConvolutionAlgorithm::kOneDnnPrimitive, {30, 0, 0, 20}});
  ConvolutionCase other = some_case();
  other.level = NumericsLevel::kAvx512;
  table.set(other, {ConvolutionAlgorithm::kIm2col});
  const ConvolutionTable read = parsed(table.to_json());
  EXPECT_EQ(read.to_json(), table.to_json());
  EXPECT_EQ(read.find(some_case()), ConvolutionAlgorithm::kOneDnnPrimitive);
  EXPECT_EQ(read.find(other), ConvolutionAlgorithm::kIm2col);
}

TEST(ConvolutionTable, every_part_of_a_case_tells_it_from_others) {
  const ConvolutionTable table = parsed("[" + kRow + "]");
  EXPECT_EQ(table.find(some_case()), ConvolutionAlgorithm::kIm2col);
  const auto expect_unknown = [&](auto change) {
    ConvolutionCase other = some_case();
    change(other);
    EXPECT_EQ(table.find(other), std::nullopt);
  };
  expect_unknown([](ConvolutionCase& c) { c.operation = "convolution_weight_gradient"; });
  expect_unknown([](ConvolutionCase& c) { c.shape.x[0] = 3; });
  expect_unknown([](ConvolutionCase& c) { c.shape.y[3] = 16; });
  expect_unknown([](ConvolutionCase& c) { c.shape.window.padding = 0; });
  expect_unknown([](ConvolutionCase& c) { c.level = NumericsLevel::kBaseline; });
}

TEST(ConvolutionTable, hashes_what_it_decides_and_not_how_long_that_took) {
  const std::uint64_t hash = parsed("[" + kRow + "]").hash();
  EXPECT_EQ(parsed("[" + with("}", R"(,"im2col_us":5})") + "]").hash(), hash);
  EXPECT_NE(parsed("[" + with("im2col", "onednn") + "]").hash(), hash);
  EXPECT_NE(parsed("[]").hash(), hash);
}

TEST(ConvolutionTable, what_is_no_table_is_refused_with_its_place) {
  EXPECT_THAT(complaint("["), HasSubstr("a test: expected a table of convolutions"));
  EXPECT_THAT(complaint("{}"), HasSubstr("a list in JSON"));
  EXPECT_THAT(complaint("[3]"), HasSubstr("a test, row 1: row: expected an object, found 3"));
  EXPECT_THAT(complaint("[" + kRow + "," + kRow + "]"), HasSubstr("row 2: row: expected one that"));
  EXPECT_THAT(complaint("[" + with("\"convolution\"", "\"convolutoin\"") + "]"),
              HasSubstr("did you mean \"convolution\""));
  EXPECT_THAT(complaint("[" + with("[2,8,8,16]", "[2,8,8]") + "]"),
              HasSubstr("x: expected [N, H, W, C]"));
  EXPECT_THAT(complaint("[" + with(":4,", ":-4,") + "]"), HasSubstr("kernel: expected a whole"));
  EXPECT_THAT(complaint("[" + with(":1,", ":4294967296,") + "]"), HasSubstr("padding: expected a"));
  EXPECT_THAT(complaint("[" + with("f32", "f16") + "]"), HasSubstr("precision: expected f32"));
  EXPECT_THAT(complaint("[" + with("avx2", "amx") + "]"), HasSubstr("numerics: expected a level"));
  EXPECT_THAT(complaint("[" + with("avx2", "avx512_bf16") + "]"),
              HasSubstr("precision: expected bf16"));
  EXPECT_THAT(complaint("[" + with("avx2", "avx3") + "]"), HasSubstr("\"avx3\""));
  EXPECT_THAT(complaint("[" + with("im2col", "window") + "]"), HasSubstr("\"window\""));
  EXPECT_THAT(complaint("[" + with("\"algorithm\"", "\"wey\"") + "]"),
              HasSubstr("algorithm: expected a value"));
  EXPECT_THAT(complaint("[" + with("}", ",\"gflops\":3}") + "]"), HasSubstr("keys: expected"));
  EXPECT_THROW(ConvolutionTable::read("/nowhere"), ConfigError);
}

TEST(ConvolutionTable, decides_before_the_rule_does) {
  const ConvolutionTable empty;
  ConvolutionTable table;
  Engine engine{Backend::kReference, NumericsLevel::kAvx2, &empty};
  const ConvolutionAlgorithm usual = chosen(engine);
  engine.convolutions = &table;
  for (const auto& [name, algorithm] : kConvolutionAlgorithms) {
    table.set(some_case(), {algorithm});
    EXPECT_EQ(chosen(engine), algorithm);
  }
  engine.level = NumericsLevel::kBaseline;
  EXPECT_EQ(chosen(engine), usual);
}

ConvolutionAlgorithm chosen(Graph& g, ValueId value, SlotId to, NumericsLevel level) {
  g.place(value, to, 0);
  const Precision precision = has_bf16(level) ? Precision::kBf16 : Precision::kF32;
  choose_algorithms({Backend::kOneDnn, level, nullptr, precision}, g);
  return g.node(value).attributes.algorithm;
}

ConvolutionAlgorithm chosen_for(std::uint32_t channels, const Window& window,
                                NumericsLevel level = NumericsLevel::kAvx2,
                                std::uint32_t outputs = 0) {
  if (outputs == 0) outputs = channels;
  Graph g;
  const SlotId slot = g.add_slot("", 200'000, Slot::Access::kReadWrite);
  const ValueId y =
      g.apply(kConvolution,
              {g.view(slot, 0, {1, 8, 8, channels}),
               g.view(slot, 0, {window.kernel, window.kernel, channels / window.groups, outputs})},
              {.window = window});
  return chosen(g, y, slot, level);
}

TEST(ConvolutionTable, without_a_row_groups_of_sixteens_are_filtered_or_convolved_directly) {
  const Window filtered{.kernel = 3, .padding = 1, .groups = 4};
  EXPECT_EQ(chosen_for(64, filtered), ConvolutionAlgorithm::kWinograd);
  EXPECT_EQ(chosen_for(64, filtered, NumericsLevel::kAvx512), ConvolutionAlgorithm::kWinograd);
  EXPECT_EQ(chosen_for(64, filtered, NumericsLevel::kAvx512Bf16), ConvolutionAlgorithm::kWinograd);
  EXPECT_EQ(chosen_for(48, filtered), ConvolutionAlgorithm::kOneDnnPrimitive);
  const Window wide{.kernel = 5, .padding = 2, .groups = 4};
  EXPECT_EQ(chosen_for(64, wide), ConvolutionAlgorithm::kDirect);
  EXPECT_EQ(chosen_for(64, wide, NumericsLevel::kAvx512), ConvolutionAlgorithm::kOneDnnPrimitive);
  const Window halving{.kernel = 4, .stride = 2, .padding = 1, .groups = 4};
  EXPECT_EQ(chosen_for(64, halving), ConvolutionAlgorithm::kOneDnnPrimitive);
  EXPECT_NE(chosen_for(64, {.kernel = 3, .padding = 1}), ConvolutionAlgorithm::kDirect);
}

TEST(ConvolutionTable, without_a_row_tall_weight_gradients_are_direct) {
  const auto chosen_by = [](std::uint32_t width, std::uint32_t channels, std::uint32_t outputs,
                            NumericsLevel level) {
    Graph g;
    const SlotId slot = g.add_slot("", 200'000, Slot::Access::kReadWrite);
    const ValueId w = g.apply(
        kConvolutionWeightGradient,
        {g.view(slot, 0, {2, 16, width, channels}), g.view(slot, 0, {2, 16, width, outputs})},
        {.window = {.kernel = 1}});
    return chosen(g, w, slot, level);
  };
  for (const NumericsLevel level : {NumericsLevel::kAvx2, NumericsLevel::kAvx512}) {
    EXPECT_EQ(chosen_by(8, 16, 64, level), ConvolutionAlgorithm::kDirect);
    EXPECT_EQ(chosen_by(8, 64, 3, level), ConvolutionAlgorithm::kDirect);
    EXPECT_NE(chosen_by(7, 16, 64, level), ConvolutionAlgorithm::kDirect) << "too few positions";
    EXPECT_NE(chosen_by(8, 30, 40, level), ConvolutionAlgorithm::kDirect) << "no full vectors";
  }
  EXPECT_EQ(chosen_by(8, 16, 64, NumericsLevel::kAvx512Bf16), ConvolutionAlgorithm::kIm2col);
}

// Those of AMX are not used for convolutions.
TEST(ConvolutionTable, without_a_row_pairs_in_bf16_are_preferred) {
  using enum NumericsLevel;
  const Window plain{.kernel = 1};
  for (const NumericsLevel level : {kAvx512, kAmx}) {
    EXPECT_EQ(chosen_for(64, plain, level), ConvolutionAlgorithm::kOneDnnPrimitive);
  }
  EXPECT_EQ(chosen_for(64, plain, kAvx512Bf16), ConvolutionAlgorithm::kIm2col);
  EXPECT_EQ(chosen_for(8, plain, kAvx512Bf16, 64), ConvolutionAlgorithm::kOneDnnPrimitive);
  for (const auto& [n, outputs, level, algorithm] :
       {std::tuple{32U, 64U, kAvx512Bf16, ConvolutionAlgorithm::kWinograd},
        std::tuple{32U, 512U, kAvx512, ConvolutionAlgorithm::kWinograd},
        std::tuple{32U, 512U, kAvx512Bf16, ConvolutionAlgorithm::kWinograd},
        std::tuple{64U, 256U, kAvx512, ConvolutionAlgorithm::kWinograd4},
        std::tuple{64U, 256U, kAvx512Bf16, ConvolutionAlgorithm::kWinograd4},
        std::tuple{128U, 256U, kAvx512, ConvolutionAlgorithm::kWinograd4},
        std::tuple{128U, 256U, kAvx512Bf16, ConvolutionAlgorithm::kWinograd4}}) {
    Graph g;
    const SlotId slot = g.add_slot("", 4'000'000, Slot::Access::kReadWrite);
    const ValueId w =
        g.apply(kConvolutionWeightGradient,
                {g.view(slot, 0, {n, 8, 8, 256}), g.view(slot, 0, {n, 4, 4, outputs})},
                {.window = {.kernel = 4, .stride = 2, .padding = 1}});
    EXPECT_EQ(chosen(g, w, slot, level), algorithm) << n << " " << outputs;
  }
}

TEST(ConvolutionTable, without_a_row_input_gradients_take_tiles_of_4x4_positions_too) {
  for (const NumericsLevel level : {NumericsLevel::kAvx512, NumericsLevel::kAvx512Bf16}) {
    Graph g;
    const SlotId slot = g.add_slot("", 5'000'000, Slot::Access::kReadWrite);
    const ValueId x = g.apply(
        kTransposedConvolution, {g.view(slot, 0, {32, 8, 8, 32}), g.view(slot, 0, {4, 4, 16, 32})},
        {.window = {.kernel = 4, .stride = 2, .padding = 1}, .shape = {16, 16}});
    EXPECT_EQ(chosen(g, x, slot, level), ConvolutionAlgorithm::kWinograd4);
  }
}

TEST(ConvolutionTable, without_a_row_many_tiles_of_4x4_positions_are_preferred) {
  const auto chosen_by = [](std::uint32_t n, std::uint32_t size, std::uint32_t kernel,
                            NumericsLevel level, std::uint32_t channels = 16) {
    Graph g;
    const SlotId slot = g.add_slot("", 5'000'000, Slot::Access::kReadWrite);
    const ValueId y =
        g.apply(kConvolution,
                {g.view(slot, 0, {n, size, size, channels}),
                 g.view(slot, 0, {kernel, kernel, channels, 2 * channels})},
                {.window = {.kernel = kernel, .stride = kernel == 4 ? 2U : 1U, .padding = 1}});
    return chosen(g, y, slot, level);
  };
  using enum NumericsLevel;
  for (const NumericsLevel level : {kBaseline, kAvx2, kAvx512, kAvx512Bf16}) {
    EXPECT_EQ(chosen_by(32, 16, 4, level), ConvolutionAlgorithm::kWinograd4);
    EXPECT_EQ(chosen_by(32, 8, 3, level), ConvolutionAlgorithm::kWinograd4);
    EXPECT_EQ(chosen_by(16, 16, 4, level), ConvolutionAlgorithm::kWinograd4);
    EXPECT_EQ(chosen_by(15, 16, 4, level), ConvolutionAlgorithm::kWinograd) << "too few tiles";
    EXPECT_EQ(chosen_by(128, 4, 4, level), ConvolutionAlgorithm::kWinograd)
        << "2x2 of 4x4 positions";
    EXPECT_EQ(chosen_by(32, 10, 4, level), ConvolutionAlgorithm::kWinograd) << "5x5 of 8x8";
  }
  EXPECT_EQ(chosen_by(32, 8, 3, kAvx512, 512), ConvolutionAlgorithm::kWinograd)
      << "too many weights";
}

TEST(ConvolutionTable, without_a_row_sixteen_outputs_of_windows_that_overlap_are_direct) {
  const Window wide{.kernel = 5, .padding = 2};
  for (const NumericsLevel level :
       {NumericsLevel::kBaseline, NumericsLevel::kAvx2, NumericsLevel::kAvx512}) {
    EXPECT_EQ(chosen_for(1, wide, level, 16), ConvolutionAlgorithm::kDirect);
    EXPECT_EQ(chosen_for(16, wide, level, 16), ConvolutionAlgorithm::kDirect);
    EXPECT_NE(chosen_for(16, wide, level, 32), ConvolutionAlgorithm::kDirect);
    EXPECT_NE(chosen_for(32, wide, level, 16), ConvolutionAlgorithm::kDirect);
    EXPECT_NE(chosen_for(16, {.kernel = 1}, level, 16), ConvolutionAlgorithm::kDirect);
    EXPECT_NE(chosen_for(16, {.kernel = 8}, level, 16), ConvolutionAlgorithm::kDirect)
        << "a window as large as the image";
  }
}

TEST(ConvolutionTable, without_a_row_few_outputs_of_windows_that_overlap_are_the_library_s) {
  const Window wide{.kernel = 3, .padding = 1};
  constexpr NumericsLevel kLevel = NumericsLevel::kAvx2;
  EXPECT_EQ(chosen_for(64, wide, kLevel, 3), ConvolutionAlgorithm::kOneDnnPrimitive);
  EXPECT_EQ(chosen_for(8, wide, kLevel, 3), ConvolutionAlgorithm::kIm2col);
  EXPECT_EQ(chosen_for(64, {.kernel = 1}, kLevel, 3), ConvolutionAlgorithm::kIm2col);
  EXPECT_NE(chosen_for(64, {.kernel = 4, .stride = 2, .padding = 1}, kLevel, 3),
            ConvolutionAlgorithm::kOneDnnPrimitive);
}

TEST(ConvolutionTable, leaves_alone_what_is_decided) {
  const ConvolutionTable table = parsed("[" + kRow + "]");
  Graph g = some_graph();
  const ValueId y = g.live_operations().front();
  g.set_algorithm(y, ConvolutionAlgorithm::kOneDnnPrimitive);
  choose_algorithms({Backend::kReference, NumericsLevel::kAvx2, &table}, g);
  EXPECT_EQ(g.node(y).attributes.algorithm, ConvolutionAlgorithm::kOneDnnPrimitive);
}

void expect_committed(const std::string& model, std::uint32_t batch, NumericsLevel level) {
  for (const StepGraph& step : {generator_step_graph(make_model(model), {}, batch),
                                discriminator_step_graph(make_model(model), {}, batch)}) {
    for (const ValueId value : step.graph.live_operations()) {
      if (!is_convolution(step.graph, value)) continue;
      const ConvolutionCase wanted = case_of(step.graph, value, level);
      EXPECT_TRUE(ConvolutionTable::committed().find(wanted))
          << model << " " << batch << " " << to_string(level) << " " << wanted.operation
          << to_string(wanted.shape.x);
    }
  }
}

TEST(ConvolutionTable, of_this_build_has_the_training_steps_of_the_models_with_convolutions) {
  using enum NumericsLevel;
  for (const NumericsLevel level : {kBaseline, kAvx2, kAvx512, kAvx512Bf16}) {
    for (const auto* model : {"dcgan28", "dcgan32", "dcgan64"}) {
      for (const std::uint32_t batch : {64U, 100U}) expect_committed(model, batch, level);
    }
  }
  expect_committed("sngan32", 64, kAvx2);
  for (const NumericsLevel level : {kAvx512, kAvx512Bf16}) {
    for (const std::uint32_t batch : {64U, 100U}) expect_committed("sngan32", batch, level);
    expect_committed("pix2pix", 1, level);
  }
}

}  // namespace
}  // namespace lipizz::nn::convolution_table_test
