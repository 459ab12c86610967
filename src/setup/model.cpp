#include "setup/model.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/network/layer_fields.hpp"
#include "nn/network/summary.hpp"
#include "setup/samples.hpp"

namespace lipizz::setup {
namespace {

nn::Layer layer_of(const config::Layer& written, const std::string& where) {
  const auto key_of = [](const auto& entry) { return entry.first; };
  const auto kind = std::ranges::find(written, "kind", key_of);
  if (kind == written.end()) throw ConfigError(where + ": expected a kind, found none");
  nn::Layer layer;
  nn::set_field(layer, kind->first, kind->second, where);
  for (const auto& [name, value] : written) nn::set_field(layer, name, value, where);
  const auto& reads = layer.kind->reads;
  const auto needs = [&](std::string_view name) {
    return std::ranges::find(reads, name) != reads.end();
  };
  if (needs("outputs") && layer.outputs == 0) {
    throw ConfigError(where + ": expected outputs, found none");
  }
  if (layer.from.size() > 1 && !needs("from")) {
    throw ConfigError(where + ".from: " + std::string(layer.kind->name) +
                      " takes one input, found " + std::to_string(layer.from.size()));
  }
  return layer;
}

nn::NetworkSpec network_of(const config::Network& written, std::uint32_t n_classes,
                           const std::string& where) {
  nn::NetworkSpec network{.inputs = written.inputs, .layers = {}, .n_classes = n_classes};
  try {
    network.initialiser = &nn::find_initialiser(written.initialiser);
  } catch (const ConfigError& error) {
    throw ConfigError(where + ".initialiser: " + error.what());
  }
  for (std::size_t i = 0; i < written.layers.size(); ++i) {
    network.layers.push_back(
        layer_of(written.layers[i], where + ".layers[" + std::to_string(i) + "]"));
  }
  return network;
}

// Values of one sample of what the network gives.
std::size_t n_given(const nn::NetworkSpec& network, const std::string& name) {
  return nn::n_elements(nn::summarise(network, name).back().outputs);
}

void expect_values(std::size_t found, std::size_t expected, const std::string& where) {
  if (found == expected) return;
  throw ConfigError(where + ": expected " + std::to_string(expected) + " in all, found " +
                    std::to_string(found));
}

}  // namespace

nn::GanSpec model_of(const config::Model& model, const nn::ModelSamples& samples) {
  if (!model.is_written_out()) return nn::make_model(model.name, samples);
  const std::uint32_t n_classes = samples.n_classes;
  const std::string generator = "model.generator";
  const std::string discriminator = "model.discriminator";
  nn::GanSpec gan{network_of(model.generator, n_classes, generator),
                  network_of(model.discriminator, n_classes, discriminator)};
  const std::size_t n_sample = n_given(gan.generator, generator);
  expect_values(n_given(gan.discriminator, discriminator), 1,
                discriminator + ": values that the last layer gives");
  expect_values(gan.sample(), n_sample, discriminator + ".inputs: values of a generated sample");
  return gan;
}

nn::GanSpec model_of(const config::Experiment& experiment) {
  const auto form = form_of(experiment);
  LIPIZZ_ASSERT(form);
  nn::ModelSamples samples = model_samples(experiment, *form);
  if (!nn::follows_samples(experiment.model.name)) {
    samples = nn::ModelSamples{.shape = {}, .n_classes = samples.n_classes};
  }
  return model_of(experiment.model, samples);
}

std::size_t most_stages(const config::Experiment& experiment, const nn::GanSpec& model) {
  const auto most_of = [](std::size_t n_asked, const nn::NetworkSpec& network) {
    const std::size_t n_layers = network.layers.size();
    const bool is_cut = n_asked > 0 && n_asked <= n_layers;
    return is_cut ? std::numeric_limits<std::size_t>::max() : n_layers;
  };
  return std::min(most_of(experiment.generator.stages, model.generator),
                  most_of(experiment.discriminator.stages, model.discriminator));
}

}  // namespace lipizz::setup
