#include "coev/generator_runner.hpp"

#include <algorithm>

#include "coev/settings.hpp"
#include "nn/train/program_memory.hpp"

namespace lipizz::coev {

GeneratorRunner::GeneratorRunner(nn::Device& device, const nn::GanSpec& model)
    : chunk_(rows_at_once(model)),
      latent_(model.latent()),
      sample_(model.sample()),
      generator_(device, model.generator, chunk_, 1),
      uploads_(device),
      inputs_(device, std::size_t{chunk_} * latent_),
      samples_(device, std::size_t{chunk_} * sample_) {}

void GeneratorRunner::run(std::span<const float> generator, std::uint32_t n, const Fill& fill,
                          const Sink& sink) {
  generator_.bind(0, uploads_.upload(generator), inputs_.region(), samples_.region());
  for (std::uint32_t done = 0; done < n; done += chunk_) {
    const std::uint32_t rows = std::min(chunk_, n - done);
    const std::span<float> labels = generator_.labels();
    fill(done, rows, inputs_.host().first(std::size_t{rows} * latent_),
         labels.first(std::min<std::size_t>(rows, labels.size())));
    inputs_.push(inputs_.size());
    generator_.run();
    samples_.pull(std::size_t{rows} * sample_);
    sink(samples_.host().first(std::size_t{rows} * sample_));
  }
  uploads_.finish();
}

nn::PlanBytes GeneratorRunner::bytes(const nn::GanSpec& model, const nn::Engine& engine) {
  const std::size_t chunk = rows_at_once(model);
  return nn::inference_bytes(engine, model.generator, rows_at_once(model)) +
         nn::PlanBytes{.kept = chunk * (model.latent() + model.sample()) * sizeof(float)};
}

}  // namespace lipizz::coev
