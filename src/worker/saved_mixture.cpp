#include "worker/saved_mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "checkpoint/safetensors.hpp"
#include "checkpoint/source_file.hpp"
#include "checkpoint/weights.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "setup/model.hpp"

namespace lipizz::worker {
namespace {

using Json = nlohmann::json;
using checkpoint::DType;

constexpr const char* kFormat = "lipizz mixture 1";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;  // of mixture.json
constexpr std::uint32_t kMostSide = 1U << 16;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 26;  // of a sample
constexpr std::uint32_t kMostExamples = 1U << 12;
constexpr double kSumTolerance = 1e-6;

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw CheckpointError(place + ": " + what +
                        "; the file is damaged or not written by lipizz: use another copy");
}

// Reads the values of one JSON object; messages name their keys.
class Fields {
 public:
  Fields(const Json& json, const std::string& place) : json_(json), place_(place) {
    if (!json.is_object()) fail(place, "expected an object");
  }

  [[nodiscard]] const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(place_, std::string("expected ") + key + ", found none");
    return *found;
  }
  [[nodiscard]] Fields object(const char* key) const { return {at(key), place_ + ": " + key}; }
  [[nodiscard]] std::string text(const char* key) const {
    if (!at(key).is_string()) fail(place_, std::string(key) + ": expected a text");
    return at(key);
  }
  [[nodiscard]] std::uint32_t whole(const char* key, std::uint32_t least,
                                    std::uint32_t most) const {
    return whole(at(key), key, least, most);
  }
  [[nodiscard]] double number(const char* key) const {
    const double number = at(key).is_number() ? at(key).get<double>() : NAN;
    if (!(number >= 0 && number <= 1)) fail(place_, std::string(key) + ": expected 0 to 1");
    return number;
  }
  [[nodiscard]] const Json& list(const char* key, std::size_t least, std::size_t most) const {
    const Json& list = at(key);
    if (list.is_array() && list.size() >= least && list.size() <= most) return list;
    fail(place_, fmt::format("{}: expected a list of {} to {}", key, least, most));
  }
  [[nodiscard]] std::vector<std::uint32_t> sizes(const char* key) const {
    std::vector<std::uint32_t> sizes;
    for (const Json& size : list(key, 1, 3)) sizes.push_back(whole(size, key, 1, kMostSide));
    return sizes;
  }
  // The name of a file beside it.
  [[nodiscard]] std::string file(const char* key) const {
    std::string name = text(key);
    const std::filesystem::path path = name;
    if (path.filename() == path && name != "." && name != ".." && !name.empty()) return name;
    fail(place_, std::string(key) + ": expected a file's name, found \"" + shortened(name) + "\"");
  }

 private:
  [[nodiscard]] std::uint32_t whole(const Json& json, const char* key, std::uint32_t least,
                                    std::uint32_t most) const {
    const bool is_whole = json.is_number_unsigned() && json.get<std::uint64_t>() <= most;
    if (is_whole && json.get<std::uint64_t>() >= least) return json.get<std::uint32_t>();
    fail(place_, fmt::format("{}: expected a whole number from {} to {}", key, least, most));
  }

  const Json& json_;
  std::string place_;
};

Json parsed(std::string_view text, const std::string& place) {
  try {
    config::check_json(text, place);
    return Json::parse(text);
  } catch (const ConfigError& error) {
    fail(place, std::string("expected JSON: ") + error.what());
  } catch (const Json::exception& error) {
    fail(place, std::string("expected JSON: ") + error.what());
  }
}

struct Sample {
  data::SampleForm form;
  [[nodiscard]] nn::ModelSamples model_samples() const {
    const data::SampleShape& shape = form.shape;
    const bool is_image = form.kind == data::SampleKind::kImage;
    return {.shape = is_image ? nn::Shape{shape.height, shape.width, shape.channels}
                              : nn::Shape{shape.channels},
            .n_condition_channels = form.n_condition_channels,
            .n_classes = form.n_classes};
  }
};

Sample read_sample(const Fields& json, const std::string& place) {
  const Fields fields = json.object("sample");
  const std::string kind = fields.text("kind");
  if (kind != "point" && kind != "image" && kind != "pair") {
    fail(place, "sample: kind: expected point, image or pair, found \"" + shortened(kind) + "\"");
  }
  const std::vector<std::uint32_t> sizes = fields.sizes("shape");
  if (sizes.size() != (kind == "point" ? 1 : 3)) {
    fail(place, "sample: shape: expected one size of points, and three of images");
  }
  std::uint64_t n = 1;
  for (const std::uint32_t size : sizes) n *= size;
  if (n > kMostValues) fail(place, fmt::format("sample: shape: expected {} at most", kMostValues));
  Sample sample;
  data::SampleForm& form = sample.form;
  form.n_classes = json.whole("classes", 0, data::kMostClasses);
  if (kind == "point") {
    form.kind = data::SampleKind::kPoint;
    form.shape.channels = sizes[0];
  } else {
    form.shape = {.height = sizes[0], .width = sizes[1], .channels = sizes[2]};
  }
  if (kind == "pair") form.n_condition_channels = form.shape.channels / 2;
  return sample;
}

nn::GanSpec model_of(const Json& written, const Sample& sample, const std::string& place) {
  nn::GanSpec model;
  try {
    config::Experiment experiment;
    const std::string text = written.is_string() ? written.get<std::string>() : written.dump();
    config::apply_value("model", text, "model", experiment);
    model = setup::model_of(experiment.model, sample.model_samples());
  } catch (const ConfigError& error) {
    fail(place, std::string("expected a model of this version of lipizz: ") + error.what());
  }
  model.generator = nn::without_spectral_norm(std::move(model.generator));
  const data::SampleForm& form = sample.form;
  if (model.sample() != form.shape.size() ||
      model.n_condition_channels != form.n_condition_channels) {
    fail(place, "sample: expected what the model makes");
  }
  return model;
}

void read_generators(const Json& list, MixtureDescription& about, const std::string& place) {
  double sum = 0;
  for (const Json& entry : list) {
    const Fields fields(entry, place + ": generators");
    about.generators.push_back({.file = fields.file("file"),
                                .row = fields.whole("row", 0, UINT32_MAX),
                                .column = fields.whole("col", 0, UINT32_MAX),
                                .weight = fields.number("weight")});
    sum += about.generators.back().weight;
  }
  if (std::abs(sum - 1) > kSumTolerance) {
    fail(place, fmt::format("generators: expected weights that sum to 1, found {}", sum));
  }
}

// Floats of this shape in front of which stands the number of examples.
std::vector<float> floats_of(const checkpoint::TensorFile& file, const std::string& name,
                             std::uint32_t n, std::size_t n_values, const std::string& place) {
  const auto found = std::ranges::find(file.tensors(), name, &checkpoint::TensorView::name);
  if (found == file.tensors().end() || found->type != DType::kF32 ||
      found->data.size() != n * n_values * sizeof(float)) {
    fail(place, fmt::format("{}: expected {} times {} numbers of type F32", name, n, n_values));
  }
  std::vector<float> values(n * n_values);
  std::memcpy(values.data(), found->data.data(), found->data.size());
  return values;
}

std::vector<float> labels_of(const checkpoint::TensorFile& file, std::uint32_t n,
                             std::uint32_t n_classes, const std::string& place) {
  if (n_classes == 0) return {};
  const auto found = std::ranges::find(file.tensors(), "labels", &checkpoint::TensorView::name);
  std::vector<std::int64_t> labels(n);
  if (found == file.tensors().end() || found->type != DType::kI64 ||
      found->data.size() != n * sizeof(std::int64_t)) {
    fail(place, fmt::format("labels: expected {} numbers of type I64", n));
  }
  std::memcpy(labels.data(), found->data.data(), found->data.size());
  if (std::ranges::any_of(labels, [&](std::int64_t label) {
        return label < 0 || label >= static_cast<std::int64_t>(n_classes);
      })) {
    fail(place, fmt::format("labels: expected classes from 0 to {}", n_classes - 1));
  }
  return {labels.begin(), labels.end()};
}

coev::MixtureExamples read_examples(const std::filesystem::path& path,
                                    const MixtureDescription& about) {
  const checkpoint::TensorFile file = checkpoint::read_tensors(path);
  const std::uint32_t n = about.n_examples;
  const std::string place = path.string();
  coev::MixtureExamples examples{
      .n = n,
      .inputs = floats_of(file, "inputs", n, about.model.latent(), place),
      .labels = labels_of(file, n, about.model.n_classes(), place),
      .samples = {}};
  for (const auto& generator : about.generators) {
    examples.samples.push_back(floats_of(file, generator.file, n, about.model.sample(), place));
  }
  return examples;
}

std::string content_of(const std::filesystem::path& path) {
  const checkpoint::SourceFile file(path);
  if (file.size() > kMostBytes) {
    fail(file.place(), fmt::format("expected at most {} bytes, found {}", kMostBytes, file.size()));
  }
  const Bytes bytes = file.first(kMostBytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

MixtureDescription parse_mixture_description(std::string_view text, const std::string& place) {
  constexpr std::size_t kMostGenerators = 1U << 12;
  const Json json = parsed(text, place);
  const Fields fields(json, place);
  if (fields.text("format") != kFormat) {
    fail(place, std::string("format: expected \"") + kFormat + "\", found \"" +
                    shortened(fields.text("format")) + "\"");
  }
  const Fields origin = fields.object("origin");
  const Fields examples = fields.object("examples");
  MixtureDescription about;
  const Sample sample = read_sample(fields, place);
  about.model = model_of(fields.at("model"), sample, place);
  about.kind = sample.form.kind;
  about.shape = sample.form.shape;
  about.dataset = fields.text("dataset");
  about.row = origin.whole("row", 0, UINT32_MAX);
  about.column = origin.whole("col", 0, UINT32_MAX);
  about.generation = origin.whole("generation", 0, UINT32_MAX);
  about.examples_file = examples.file("file");
  about.n_examples = examples.whole("n", 1, kMostExamples);
  about.tolerance = examples.number("tolerance");
  read_generators(fields.list("generators", 1, kMostGenerators), about, place);
  return about;
}

std::size_t SavedMixture::heaviest() const {
  const auto order = [](const MixtureDescription::Generator& generator) {
    return std::tuple(-generator.weight, generator.row, generator.column);
  };
  const auto first = std::ranges::min_element(about.generators, {}, order);
  return static_cast<std::size_t>(first - about.generators.begin());
}

SavedMixture read_mixture(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "mixture.json";
  SavedMixture mixture{.about = parse_mixture_description(content_of(file), file.string()),
                       .parameters = {},
                       .examples = {},
                       .folder = folder};
  for (const auto& generator : mixture.about.generators) {
    mixture.parameters.push_back(
        checkpoint::read_weights(folder / generator.file, mixture.about.model.generator));
  }
  mixture.examples = read_examples(folder / mixture.about.examples_file, mixture.about);
  return mixture;
}

}  // namespace lipizz::worker
