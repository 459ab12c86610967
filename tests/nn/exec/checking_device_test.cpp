#include "nn/exec/checking_device.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/base/precision.hpp"
#include "nn/one_operation.hpp"
#include "nn/train/gan_step.hpp"

namespace lipizz::nn::checking_device_test {
namespace {

using ::testing::HasSubstr;

// Computes everything right but sums of two values.
class WrongSum final : public Kernel<float> {
 public:
  WrongSum(std::unique_ptr<Kernel<float>> right, std::uint32_t result)
      : right_(std::move(right)), result_(result) {}
  void run(float* const* values) override {
    right_->run(values);
    values[result_][0] += 0.01f;
  }

 private:
  std::unique_ptr<Kernel<float>> right_;
  std::uint32_t result_;
};

std::unique_ptr<Kernel<float>> make_wrong(const Graph& graph, ValueId value) {
  auto kernel = testing::make_host_kernel(graph, value);
  if (graph.node(value).operation != &kAdd) return kernel;
  return std::make_unique<WrongSum>(std::move(kernel), value.index);
}

CheckingDevice checked(const Engine& engine) {
  return {std::make_unique<testing::FarDevice>(engine), Engine{}, 1e-4};
}

TEST(CheckingDevice, gives_what_the_checked_one_gives) {
  CheckingDevice device = checked({.make_kernel = testing::make_host_kernel});
  EXPECT_EQ(device.name(), "check:far");
  const auto a = testing::drawn({3, 7}, 1);
  const auto b = testing::drawn({3, 7}, 2);
  testing::FarDevice far({.make_kernel = testing::make_host_kernel});
  EXPECT_EQ(testing::run_once(device, kAdd, {a, b}), testing::run_once(far, kAdd, {a, b}));
}

TEST(CheckingDevice, names_the_operation_that_goes_astray) {
  CheckingDevice device = checked({.make_kernel = make_wrong});
  const auto a = testing::drawn({3, 7}, 1);
  EXPECT_NO_THROW(testing::run_once(device, kActivation, {a}, {.activation = Activation::kTanh}));
  try {
    testing::run_once(device, kAdd, {a, a});
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("device far computes add [3, 7] [3, 7] -> [3, 7]"));
  }
}

// A sum is off by more than single precision allows, and less than others do.
TEST(CheckingDevice, holds_strict_plans_to_single_precision) {
  CheckingDevice device(std::make_unique<testing::FarDevice>(Engine{.make_kernel = make_wrong}),
                        Engine{}, tolerance_of(Precision::kBf16));
  const auto a = testing::drawn({3, 7}, 1);
  EXPECT_NO_THROW(testing::run_once(device, kAdd, {a, a}));
  EXPECT_THROW(testing::run_once(device, kAdd, {a, a}, {}, Exactness::kStrict), InternalError);
}

// Whole steps of two models, with all that a step may do.
TEST(CheckingDevice, trains_like_the_checked_one) {
  const GanSpec gan = testing::tiny_image_gan();
  const testing::DrawnSamples source(gan.sample());
  const std::vector<std::uint32_t> samples{1, 5, 9, 2};
  const StepOptions options{.augmentation = {true, true, true},
                            .penalty = &find_penalty("wgan-gp")};
  const auto train = [&](Device& device) {
    std::vector<Buffer<float>> ds{testing::initial(gan.discriminator, 1),
                                  testing::initial(gan.discriminator, 2)};
    const Buffer<float> g = testing::initial(gan.generator, 3);
    std::vector<Buffer<float>> moments(2, Buffer<float>(2 * ds[0].size()));
    DiscriminatorStep step(device, gan, {}, source, 4, 2, options);
    UploadScope uploads(device);
    for (std::uint32_t m = 0; m < 2; ++m) {
      step.bind(m,
                {uploads.upload(std::span<float>(ds[m])),
                 uploads.upload(std::span<float>(moments[m])), 1e-3f},
                uploads.upload(std::span<const float>(g)));
      step.feed(m, {Random(m, Purpose::kTest), 0, Random(m, Purpose::kTest), 3, samples});
    }
    step.run();
    uploads.finish();
    return ds;
  };
  CheckingDevice device = checked({.make_kernel = testing::make_host_kernel});
  testing::FarDevice far({.make_kernel = testing::make_host_kernel});
  EXPECT_EQ(train(device), train(far));
}

}  // namespace
}  // namespace lipizz::nn::checking_device_test
