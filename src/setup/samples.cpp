#include "setup/samples.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::setup {
namespace {

constexpr std::uint32_t kMostValues = 1U << 26;  // of one sample

[[noreturn]] void fail_shape(const std::string& text) {
  throw ConfigError(
      "data.shape: expected height, width and channels of images (64x64x3), or the number of "
      "values "
      "of points (2), found \"" +
      shortened(text) + "\"");
}

std::vector<std::uint32_t> extents_in(const std::string& text) {
  std::vector<std::uint32_t> extents;
  std::uint64_t n_values = 1;
  for (const std::string& part : split(text, 'x')) {
    const auto extent = parse_number<std::uint32_t>(part);
    if (!extent || *extent == 0 || extents.size() == 3) fail_shape(text);
    extents.push_back(*extent);
    n_values *= *extent;
    if (n_values > kMostValues) fail_shape(text);
  }
  return extents;
}

data::SampleForm parse_form(const config::OwnData& own, bool is_paired) {
  const std::vector<std::uint32_t> extents = extents_in(own.shape);
  data::SampleForm form;
  form.n_classes = own.classes;
  if (extents.size() == 1) {
    form.kind = data::SampleKind::kPoint;
    form.shape.channels = extents[0];
  } else if (extents.size() == 3) {
    form.shape = {.height = extents[0], .width = extents[1], .channels = extents[2]};
  } else {
    fail_shape(own.shape);
  }
  if (is_paired) form.n_condition_channels = form.shape.channels / 2;
  return form;
}

std::string text_of(const data::SampleForm& form) {
  return shape_text(form) + " in " + std::to_string(form.n_classes) +
         (form.n_classes == 1 ? " class" : " classes");
}

}  // namespace

std::optional<data::SampleForm> form_of(const config::Experiment& experiment) {
  const data::DatasetEntry& entry = data::find_dataset(experiment.data.dataset);
  if (entry.form) return entry.form;
  if (experiment.data.own.shape.empty()) return std::nullopt;
  return parse_form(experiment.data.own, entry.is_paired);
}

data::OpenOptions open_options(const config::Experiment& experiment) {
  const config::Data& data = experiment.data;
  const config::OwnData& own = data.own;
  return {.data_dir = data.dir,
          .max_samples = data.max_samples,
          .own = {.path = own.path,
                  .field = own.field,
                  .range = own.range,
                  .size = own.size,
                  .fit = own.fit,
                  .channels = own.channels,
                  .condition = own.condition,
                  .test_share = own.test_share},
          .most_bytes = static_cast<std::uint64_t>(data.memory_gb * 1e9),
          .n_readers = data.readers};
}

config::Experiment with_form(config::Experiment experiment, const data::OpenOptions& options) {
  if (form_of(experiment)) return experiment;
  const data::Description found = data::describe_dataset(experiment.data.dataset, options);
  experiment.data.own.shape = shape_text(found);
  experiment.data.own.classes = found.n_classes;
  return experiment;
}

void expect_form(const config::Experiment& experiment, const data::Dataset& dataset) {
  const data::SampleForm found = data::form_of(dataset);
  const auto expected = form_of(experiment);
  if (!expected || *expected == found) return;
  throw DataError(experiment.data.own.path + ": expected samples of " + text_of(*expected) +
                  ", as data.shape and data.classes say, found " + text_of(found));
}

nn::ModelSamples model_samples(const config::Experiment& experiment, const data::SampleForm& form) {
  const data::SampleShape& shape = form.shape;
  nn::ModelSamples samples{.shape = {shape.height, shape.width, shape.channels},
                           .n_condition_channels = form.n_condition_channels};
  if (form.kind == data::SampleKind::kPoint) samples.shape = {shape.channels};
  if (experiment.data.class_conditional) samples.n_classes = form.n_classes;
  return samples;
}

std::string fitting_model(const config::Experiment& experiment, const data::SampleForm& form) {
  const std::string_view own = data::find_dataset(experiment.data.dataset).model;
  if (!own.empty()) return std::string(own);
  if (form.n_condition_channels > 0) return "pix2pix";
  try {
    nn::make_model("dcgan", model_samples(experiment, form));
    return "dcgan";
  } catch (const ConfigError&) {
    return "mlp";
  }
}

}  // namespace lipizz::setup
