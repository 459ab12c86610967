#include "nn/train/timing_run.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.hpp"
#include "nn/base/buffer.hpp"
#include "nn/network/network.hpp"
#include "nn/train/gan_step.hpp"

namespace lipizz::nn {
namespace {

constexpr float kRate = 2e-4f;

// A batch of normals, all of the first class.
class Normals final : public SampleSource {
 public:
  Normals(std::uint32_t n, std::uint32_t size)
      : size_(size), indices_(n), values_(std::size_t{n} * size) {
    std::iota(indices_.begin(), indices_.end(), 0U);
    Random(1, Purpose::kTest).normals(0, n, size, values_);
  }
  [[nodiscard]] std::uint32_t n_samples() const override {
    return static_cast<std::uint32_t>(indices_.size());
  }
  [[nodiscard]] std::uint32_t sample_size() const override { return size_; }
  void read(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto row = std::span(values_).subspan(std::size_t{indices[i]} * size_, size_);
      std::ranges::copy(row, out.subspan(i * size_).begin());
    }
  }
  [[nodiscard]] std::uint32_t label(std::uint32_t) const override { return 0; }
  [[nodiscard]] std::span<const std::uint32_t> all() const { return indices_; }

 private:
  std::uint32_t size_;
  std::vector<std::uint32_t> indices_;
  Buffer<float> values_;
};

// One network's state.
struct Network {
  Network(const NetworkSpec& spec, OptimizerId kind, bool keeps_average)
      : parameters(parameter_layout(spec).n_padded),
        moments(entry(kind).n_moments * parameters.size()),
        average(keeps_average ? parameters.size() : 0) {
    initialise(spec, Random(1, Purpose::kTest), parameters);
  }
  TrainedNetwork upload(UploadScope& uploads) {
    return {.parameters = uploads.upload(std::span<float>(parameters)),
            .moments = uploads.upload(std::span<float>(moments)),
            .learning_rate = kRate,
            .average = average.empty() ? Region() : uploads.upload(std::span<float>(average))};
  }
  Buffer<float> parameters, moments, average;
};

}  // namespace

struct TimingRun::Impl {
  Impl(Device& device, const GanSpec& gan, std::uint32_t batch_size, std::uint32_t n_models,
       const TimedSteps& steps)
      : batch(batch_size),
        samples(batch_size, gan.sample()),
        generators(n_models, Network(gan.generator, steps.generator.kind,
                                     steps.generator_options.average_decay > 0)),
        discriminators(n_models, Network(gan.discriminator, steps.discriminator.kind, false)),
        generator_step(device, gan, steps.generator, samples, batch, n_models,
                       steps.generator_options),
        discriminator_step(device, gan, steps.discriminator, samples, batch, n_models,
                           steps.discriminator_options),
        uploads(device) {
    for (Network& network : generators) uploaded_generators.push_back(network.upload(uploads));
    for (Network& network : discriminators)
      uploaded_discriminators.push_back(network.upload(uploads));
  }

  void train(GanStep& program, std::vector<TrainedNetwork>& networks,
             const std::vector<TrainedNetwork>& opponents) {
    for (std::uint32_t m = 0; m < networks.size(); ++m) {
      networks[m].step = n_steps;
      program.bind(m, networks[m], opponents[m].parameters);
      const Random random(m, Purpose::kTest);
      program.feed(m, {random, n_steps * batch, random, n_steps, samples.all()});
    }
    program.run();
    ++n_steps;
  }

  std::uint32_t batch;
  Normals samples;
  std::vector<Network> generators, discriminators;
  GeneratorStep generator_step;
  DiscriminatorStep discriminator_step;
  UploadScope uploads;
  std::vector<TrainedNetwork> uploaded_generators, uploaded_discriminators;
  std::uint32_t n_steps = 0;
};

TimingRun::TimingRun(Device& device, const GanSpec& gan, std::uint32_t batch,
                     std::uint32_t n_models, const TimedSteps& steps)
    : impl_(std::make_unique<Impl>(device, gan, batch, n_models, steps)) {}
TimingRun::TimingRun(TimingRun&&) noexcept = default;
TimingRun& TimingRun::operator=(TimingRun&&) noexcept = default;
TimingRun::~TimingRun() = default;

void TimingRun::train_generators() {
  impl_->train(impl_->generator_step, impl_->uploaded_generators, impl_->uploaded_discriminators);
}

void TimingRun::train_discriminators() {
  impl_->train(impl_->discriminator_step, impl_->uploaded_discriminators,
               impl_->uploaded_generators);
}

double TimingRun::seconds(int n_rounds, const Clock& clock) {
  const double begin = clock.now_s();
  for (int i = 0; i < n_rounds; ++i) {
    train_generators();
    train_discriminators();
  }
  static_cast<void>(loss(0));  // waits for the device
  return clock.now_s() - begin;
}

std::size_t TimingRun::n_launches() const {
  return impl_->generator_step.n_launches() + impl_->discriminator_step.n_launches();
}

float TimingRun::loss(std::uint32_t model) {
  return impl_->discriminator_step.loss(model);
}

}  // namespace lipizz::nn
