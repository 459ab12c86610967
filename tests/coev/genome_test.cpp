#include "coev/genome.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "coev/support.hpp"
#include "core/error.hpp"
#include "nn/counted_storage.hpp"
#include "nn/exec/host_device.hpp"

namespace lipizz::coev::genome_test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

GenomeShape shape() {
  const Settings s = testing::tiny_settings();
  return {s.model.generator, s.generator.optimizer};
}

Genome example() {
  Genome genome = shape().make();
  for (std::size_t i = 0; i < genome.parameters.size(); ++i)
    genome.parameters.writable()[i] = 0.5f * i;
  for (std::size_t i = 0; i < genome.moments.size(); ++i) genome.moments.writable()[i] = -0.25f * i;
  genome.learning_rate = 3e-4;
  genome.loss = 2;
  genome.step = 17;
  genome.origin = {5};
  return genome;
}

Bytes written(const Genome& genome, Moments moments) {
  ByteWriter out;
  write(out, genome, moments);
  return out.take();
}

Genome read_back(std::span<const std::byte> bytes) {
  Genome genome = example();  // old content must not shine through
  ByteReader in(bytes, "test");
  read(in, shape(), genome, "test");
  in.expect_end();
  return genome;
}

TEST(Genome, has_padded_buffers_and_two_moments_for_adam) {
  // 3 * 5 + 5 + 5 * 2 + 2 = 32 parameters: already a multiple of 16.
  EXPECT_EQ(shape().n_parameters, 32U);
  EXPECT_EQ(shape().n_moments, 64U);
  EXPECT_EQ(
      GenomeShape(testing::tiny_settings().model.generator, {nn::find_optimizer("sgd")}).n_moments,
      32U);
}

TEST(Genome, comes_back_whole_with_its_moments) {
  const Bytes bytes = written(example(), Moments::kTravel);
  EXPECT_EQ(bytes.size(), 8 + 4 * 4 + (8 + 32 * 4) + (8 + 64 * 4));
  EXPECT_EQ(read_back(bytes), example());
}

TEST(Genome, travels_without_its_moments_and_their_steps) {
  const Bytes bytes = written(example(), Moments::kStay);
  EXPECT_EQ(bytes.size(), 8 + 4 * 4 + (8 + 32 * 4));
  Genome expected = example();
  expected.moments = {};
  expected.step = 0;
  EXPECT_EQ(read_back(bytes), expected);
}

TEST(Genome, takes_its_average_along_wherever_it_goes) {
  const Settings s = testing::tiny_settings();
  const GenomeShape with_average(s.model.generator, s.generator.optimizer, true);
  Genome genome = example();
  genome.average = genome.parameters;
  genome.average.writable()[4] = 9;
  EXPECT_EQ(sampled(genome)[4], 9);
  EXPECT_EQ(sampled(example())[4], 2);
  const Bytes bytes = written(genome, Moments::kStay);
  EXPECT_EQ(bytes.size(), written(example(), Moments::kStay).size() + 8 + 32 * 4);
  Genome back = with_average.make();
  ByteReader in(bytes, "test");
  read(in, with_average, back, "test");
  in.expect_end();
  EXPECT_EQ(back.average, genome.average);
  EXPECT_THROW(read_back(bytes), CommError);  // where none is kept
  genome.average.writable()[4] = kInfinity;
  EXPECT_FALSE(is_finite(genome));
}

TEST(Genome, takes_a_dynamic_loss_scale_along) {
  const Settings s = testing::tiny_settings();
  const auto shape_with = [&s](const nn::MixedPrecision& mixed) {
    nn::OptimizerSpec optimizer = s.generator.optimizer;
    optimizer.mixed = mixed;
    return GenomeShape(s.model.generator, optimizer);
  };
  const GenomeShape dynamic = shape_with({nn::Half::kFp16});
  EXPECT_EQ(dynamic.make().loss_scale, (nn::Buffer<float>{65536, 0}));
  EXPECT_TRUE(shape_with({nn::Half::kFp16, 8}).make().loss_scale.empty());
  EXPECT_TRUE(shape_with({nn::Half::kBf16}).make().loss_scale.empty());
  const auto back = [&](const nn::Buffer<float>& loss_scale) {
    Genome genome = example();
    genome.loss_scale = loss_scale;
    const Bytes bytes = written(genome, Moments::kStay);
    EXPECT_EQ(bytes.size(), written_bytes(genome, Moments::kStay));
    EXPECT_EQ(bytes.size(), written(example(), Moments::kStay).size() + 8);
    Genome read_genome = dynamic.make();
    ByteReader in(bytes, "test");
    read(in, dynamic, read_genome, "test");
    in.expect_end();
    return read_genome.loss_scale;
  };
  EXPECT_EQ(back({1024, 17}), (nn::Buffer<float>{1024, 17}));
  for (const nn::Buffer<float>& bad : {nn::Buffer<float>{1000, 0},
                                       {0, 0},
                                       {kInfinity, 0},
                                       {kNan, 0},
                                       {8, -1},
                                       {8, 0.5F},
                                       {8, 2001},
                                       {8, kNan}}) {
    EXPECT_THROW(back(bad), CommError) << bad[0] << ", " << bad[1];
  }
}

TEST(Genome, starts_moments_anew_where_a_copy_has_none) {
  Genome to = shape().make();
  copy(example(), to);
  EXPECT_EQ(to, example());
  const Genome from = read_back(written(example(), Moments::kStay));
  copy(from, to);
  EXPECT_EQ(to.parameters, from.parameters);
  EXPECT_EQ(to.moments, nn::Buffer<float>(64));
  EXPECT_EQ(to.step, 0U);
}

// Z-4: eight bytes of each parameter less in memory, on all of a genome's ways.
TEST(Genome, z4_moments_lie_where_its_shape_says) {
  const auto storage = std::make_shared<nn::testing::CountedStorage>();
  const std::size_t n_of_one = 2 * sizeof(float) * shape().n_parameters;
  GenomeShape offloaded = shape();
  offloaded.moments_in = storage;
  Genome made = offloaded.make();
  EXPECT_EQ(storage->n_bytes(), n_of_one);
  Genome read_there;
  const Bytes bytes = written(example(), Moments::kTravel);
  ByteReader in(bytes, "test");
  read(in, offloaded, read_there, "test");
  EXPECT_EQ(read_there, example());
  EXPECT_EQ(storage->n_bytes(), 2 * n_of_one);
  copy(travelling(example(), Moments::kStay), made);
  EXPECT_EQ(made.moments, nn::Buffer<float>(64));
  EXPECT_EQ(storage->n_bytes(), 2 * n_of_one) << "anew, in the same place";
  copy(read_there, made);
  EXPECT_EQ(storage->n_bytes(), n_of_one) << "shared";
  made.moments.writable()[0] = 3;
  EXPECT_EQ(storage->n_bytes(), 2 * n_of_one);
}

TEST(Genome, refuses_what_cannot_be_one) {
  const auto refused = [](auto change) {
    Genome genome = example();
    change(genome);
    EXPECT_THROW(read_back(written(genome, Moments::kTravel)), CommError);
  };
  refused([](Genome& g) { g.learning_rate = -1; });
  refused([](Genome& g) { g.learning_rate = kNan; });
  refused([](Genome& g) { g.loss = static_cast<nn::LossId>(nn::losses().size()); });
  refused([](Genome& g) { g.parameters.reset(48); });
  refused([](Genome& g) { g.moments.reset(32); });
}

TEST(Genome, refuses_every_truncation) {
  const Bytes bytes = written(example(), Moments::kTravel);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(read_back(std::span(bytes).first(n)), CommError) << n;
  }
}

TEST(Genome, is_finite_until_one_number_is_not) {
  EXPECT_TRUE(is_finite(example()));
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    Genome genome = example();
    genome.parameters.writable()[31] = bad;
    EXPECT_FALSE(is_finite(genome));
    genome = example();
    genome.moments.writable()[0] = bad;
    EXPECT_FALSE(is_finite(genome));
  }
  Genome genome = example();
  genome.parameters.writable()[0] = std::numeric_limits<float>::max();
  EXPECT_TRUE(is_finite(genome));
}

TEST(Genome, hashes_all_but_where_it_comes_from) {
  const auto digest = [](auto change) {
    Genome genome = example();
    change(genome);
    Hasher hasher;
    hash(hasher, genome);
    return hasher.digest();
  };
  const std::uint64_t same = digest([](Genome&) {});
  EXPECT_EQ(digest([](Genome& g) { g.origin = {9}; }), same);
  EXPECT_NE(digest([](Genome& g) { g.parameters.writable()[3] = 99; }), same);
  EXPECT_NE(digest([](Genome& g) { g.moments.writable()[3] = 99; }), same);
  EXPECT_NE(digest([](Genome& g) { g.learning_rate = 99; }), same);
  EXPECT_NE(digest([](Genome& g) { g.loss = 0; }), same);
  EXPECT_NE(digest([](Genome& g) { g.step = 0; }), same);
}

TEST(Genome, trains_with_its_own_rate_loss_and_step) {
  Genome genome = example();
  nn::HostDevice host;
  nn::UploadScope uploads(host);
  const nn::TrainedNetwork network = trained(genome, upload(uploads, genome));
  EXPECT_EQ(network.parameters.data, genome.parameters.data());
  EXPECT_EQ(network.moments.size, 64U);
  EXPECT_EQ(network.learning_rate, 3e-4f);
  EXPECT_EQ(network.loss, 2U);
  EXPECT_EQ(network.step, 17U);
}

}  // namespace
}  // namespace lipizz::coev::genome_test
