#include "setup/speed.hpp"

#include <gtest/gtest.h>

#include "nn/support.hpp"

namespace lipizz::setup::speed_test {
namespace {

// A second passes whenever it is looked at, so that any number of batches takes one.
class Ticking final : public Clock {
 public:
  [[nodiscard]] double now_s() const override { return ++now_s_; }

 private:
  mutable double now_s_ = 0;
};

// No time passes at all.
class Standing final : public Clock {
 public:
  [[nodiscard]] double now_s() const override { return 0; }
};

coev::Settings small() {
  coev::Settings settings;
  settings.model = nn::make_model("mlp-2d");
  settings.batch_size = 1;
  return settings;
}

nn::Engine engine() {
  return nn::testing::engines().front();
}

TEST(Speed, on_the_host_one_cell_follows_the_other) {
  nn::HostDevice device(engine());
  const Speed speed = measure_speed(device, small(), 100, Ticking());
  EXPECT_EQ(speed.fixed_s, 0);
  EXPECT_EQ(speed.per_cell_s, 1);
}

TEST(Speed, elsewhere_many_cells_may_take_no_longer_than_one) {
  nn::testing::FarDevice device(engine());
  for (const std::uint32_t n_cells : {1U, 2U, 5U}) {
    const Speed speed = measure_speed(device, small(), n_cells, Ticking());
    EXPECT_EQ(speed.fixed_s, 1) << n_cells;
    EXPECT_EQ(speed.per_cell_s, 0) << n_cells;
  }
  EXPECT_EQ(device.n_regions, 0) << "nothing of it stays";
}

// Knows for how many models it was asked last.
class CountingDevice final : public nn::testing::FarDevice {
 public:
  using FarDevice::FarDevice;
  std::unique_ptr<nn::DevicePlan> plan(const nn::Graph& graph, std::uint32_t n_models,
                                       nn::Exactness exactness) override {
    n_models_ = n_models;
    return FarDevice::plan(graph, n_models, exactness);
  }
  [[nodiscard]] std::uint32_t n_models() const { return n_models_; }

 private:
  std::uint32_t n_models_ = 0;
};

// A batch takes 3 seconds, and half a one for each model.
class OfADevice final : public Clock {
 public:
  explicit OfADevice(const CountingDevice& device) : device_(device) {}
  [[nodiscard]] double now_s() const override { return now_s_ += 3 + 0.5 * device_.n_models(); }

 private:
  const CountingDevice& device_;
  mutable double now_s_ = 0;
};

TEST(Speed, tells_what_each_further_cell_takes) {
  for (const std::uint32_t n_cells : {2U, 16U, 1000U}) {
    CountingDevice device(engine());
    const Speed speed = measure_speed(device, small(), n_cells, OfADevice(device));
    EXPECT_EQ(speed.fixed_s, 3) << n_cells;
    EXPECT_EQ(speed.per_cell_s, 0.5) << n_cells;
    EXPECT_LE(device.n_models(), 16U);
  }
}

TEST(Speed, is_measured_in_the_end_whatever_the_clock_says) {
  nn::HostDevice device(engine());
  EXPECT_EQ(measure_speed(device, small(), 1, Standing()).per_cell_s, 0);
}

}  // namespace
}  // namespace lipizz::setup::speed_test
