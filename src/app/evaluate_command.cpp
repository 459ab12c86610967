#include "app/evaluate_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/dataset_scorer.hpp"
#include "app/evaluation_text.hpp"
#include "app/run_mixture.hpp"
#include "core/error.hpp"
#include "core/finite.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "data/image.hpp"
#include "data/npy.hpp"
#include "data/sample_files.hpp"
#include "metrics/evaluation.hpp"
#include "metrics/feature_scores.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/host_device.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUsualNumber = 10'000;
constexpr std::uint32_t kFewest = 2;  // one sample has no spread

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError("evaluate: " + what + "; see `lipizz help evaluate`");
}

void refuse_options(const CommandLine& line, const std::vector<std::string>& options,
                    const std::string& with) {
  for (const std::string& option : options) {
    const bool is_given = option == "best" ? line.given.has_flag(option) : line.given.has(option);
    if (is_given) refuse("--" + option + " does not go with " + with);
  }
}

std::optional<std::uint32_t> number_given(const CommandLine& line) {
  if (!line.given.has("number")) return std::nullopt;
  const std::string text = line.given.text("number");
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number < kFewest) {
    refuse("--number: expected a whole number from 2 on, found \"" + shortened(text) + "\"");
  }
  return number;
}

// How many of `n_there` samples in files are scored.
std::uint32_t number_of(const CommandLine& line, const std::string& path, std::uint64_t n_there) {
  const auto asked = number_given(line);
  if (n_there < asked.value_or(kFewest)) {
    throw DataError(fmt::format("{}: expected {} samples{}, found {}", path,
                                asked ? std::to_string(*asked) : "at least 2",
                                asked ? ", as --number says" : "", n_there));
  }
  return asked.value_or(static_cast<std::uint32_t>(std::min<std::uint64_t>(n_there, kUsualNumber)));
}

void write(const CommandLine& line, const EvaluationText& evaluation, std::ostream& out) {
  out << (line.given.has_flag("json") ? evaluation_json(evaluation) : evaluation_text(evaluation));
}

// Features in files.

/// A .npy array N x D, or its first rows.
struct FeatureFile {
  FeatureFile(const CommandLine& line, const fs::path& path) : file(path) {
    if (file.layout().shape.size() != 2 || file.layout().type == data::ElementType::kUint8) {
      file.fail("expected features, floats of shape (samples, values), found " +
                data::shape_text(file.layout().shape) +
                (file.layout().type == data::ElementType::kUint8 ? " bytes" : ""));
    }
    n_rows = file.layout().n_rows();
    if (const auto asked = number_given(line)) {
      n_rows = number_of(line, path.string(), n_rows);
    } else if (n_rows < kFewest) {
      file.fail("expected at least 2 samples, found 1");
    }
  }

  std::vector<float> read() const {
    std::vector<float> values(n_rows * file.layout().row_size());
    file.read(0, values);
    return values;
  }

  data::NpyFile file;
  std::uint64_t n_rows;
};

int evaluate_features(const CommandLine& line, std::ostream& out) {
  refuse_options(line, {"dataset", "data-dir", "samples", "range", "seed", "best", "device", "set"},
                 "--features");
  if (line.arguments.size() != 2) {
    refuse("--features: expected two files, REAL.npy and FAKE.npy, found " +
           std::to_string(line.arguments.size()));
  }
  const FeatureFile real(line, line.arguments[0]);
  const FeatureFile generated(line, line.arguments[1]);
  const std::uint64_t d = real.file.layout().row_size();
  if (generated.file.layout().row_size() != d) {
    generated.file.fail(fmt::format("expected {} values for each sample, as {} has, found {}", d,
                                    line.arguments[0], generated.file.layout().row_size()));
  }
  const std::vector<float> real_values = real.read();
  const std::vector<float> generated_values = generated.read();
  const std::vector<metrics::Figure> figures =
      metrics::score_features({real_values, d}, {generated_values, d});
  write(
      line,
      {.heading = fmt::format("{} rows of {} against {} of {}, {} features each", generated.n_rows,
                              line.arguments[1], real.n_rows, line.arguments[0], d),
       .judge = {},
       .n_samples = generated.n_rows,
       .figures = figures},
      out);
  return static_cast<int>(ExitCode::kDone);
}

// Samples against a dataset.

data::OpenOptions where_data_lie(const CommandLine& line) {
  const char* const folder = std::getenv("LIPIZZ_DATA_DIR");
  data::OpenOptions options{.data_dir = line.given.text("data-dir")};
  if (options.data_dir.empty() && folder != nullptr) options.data_dir = folder;
  return options;
}

/// Samples, and the dataset and metric that they are scored by.
struct Scale {
  const data::Dataset& dataset;
  metrics::SampleSource samples;
  std::string metric;
  std::filesystem::path run;  // beside which a judge may be kept
};

void write_evaluation(const CommandLine& line, const Scale& scale, const std::string& what,
                      std::ostream& out) {
  nn::prepare_compute_thread();
  nn::HostDevice device;
  const auto scorer = open_scorer(scale.metric, scale.dataset, scale.run, device);
  const metrics::Evaluation found = metrics::evaluate(scale.dataset, *scorer, scale.samples);
  write(line,
        {.heading = fmt::format("{} against {}", what, scale.dataset.name()),
         .judge = EvaluationText::Judge{std::string(scorer->metric()), scorer->judge_hash()},
         .n_samples = found.n_samples,
         .n_floor_samples = found.n_floor_samples,
         .figures = found.figures},
        out);
}

// How many of `n` pairs are scored: they are made for the conditions of the test part.
std::uint32_t number_of_pairs(const data::Dataset& dataset, std::uint32_t n) {
  if (dataset.n_test() >= kFewest) return std::min(n, dataset.n_test());
  throw DataError(fmt::format(
      "evaluate: expected at least 2 pairs in the test part of {}, for whose conditions samples "
      "are made, found {}; own pairs get more by a larger data.test_share or a folder test",
      dataset.name(), dataset.n_test()));
}

/// Pairs of which the conditions are the test part's, and the rest is read from elsewhere.
metrics::SampleSource with_conditions(const data::Dataset& dataset,
                                      const metrics::SampleSource& made) {
  const auto read = [&dataset, made](std::uint32_t first, std::span<float> out) {
    const std::uint32_t n_channels = dataset.shape().channels;
    const std::uint32_t begin = dataset.n_condition_channels();
    const std::size_t n_samples = out.size() / dataset.shape().size();
    std::vector<std::uint32_t> indices(n_samples);
    for (std::size_t i = 0; i < n_samples; ++i) {
      indices[i] = first + static_cast<std::uint32_t>(i);
    }
    dataset.read_test(indices, out);
    std::vector<float> targets(out.size() / n_channels * (n_channels - begin));
    made.read(first, targets);
    auto next = targets.begin();
    for (std::size_t i = 0; i < out.size(); i += n_channels) {
      std::copy_n(next, n_channels - begin, out.begin() + static_cast<std::ptrdiff_t>(i + begin));
      next += n_channels - begin;
    }
  };
  return {number_of_pairs(dataset, made.n), read};
}

int evaluate_files(const CommandLine& line, std::ostream& out) {
  refuse_options(line, {"seed", "best", "device", "set"}, "--samples");
  if (!line.given.has("dataset")) {
    refuse("--samples: expected --dataset NAME, the samples' like, found none");
  }
  if (!line.arguments.empty()) refuse("expected RUN or --samples, found both");
  const fs::path path = line.given.text("samples");
  std::optional<data::ValueRange> range;
  if (line.given.has("range")) range = data::parse_value_range(line.given.text("range"));
  const std::string name = line.given.text("dataset");
  const data::Description about = data::describe_dataset(name, where_data_lie(line));
  data::SampleShape shape = about.shape;
  shape.channels -= about.n_condition_channels;
  const auto files = data::open_sample_files(path, about.kind, shape, range);
  metrics::SampleSource samples{
      number_of(line, path.string(), files->n()),
      [&](std::uint32_t first, std::span<float> values) { files->read(first, values); }};
  const auto dataset = data::open_dataset(name, where_data_lie(line));
  if (about.n_condition_channels > 0) samples = with_conditions(*dataset, samples);
  write_evaluation(line, {*dataset, samples, "auto", fs::path(".")},
                   fmt::format("{} samples of {}", samples.n, path.string()), out);
  return static_cast<int>(ExitCode::kDone);
}

// Samples of a run.

std::uint64_t seed_given(const CommandLine& line) {
  if (!line.given.has("seed")) return 1;
  const auto seed = parse_number<std::uint64_t>(line.given.text("seed"));
  if (seed) return *seed;
  refuse("--seed: expected a whole number, found \"" + shortened(line.given.text("seed")) + "\"");
}

/// Samples as files would hold them: images as pixels.
class DrawnSamples {
 public:
  DrawnSamples(const data::Dataset& dataset, std::uint32_t n)
      : is_image_(dataset.kind() == data::SampleKind::kImage),
        size_(dataset.shape().size()),
        pixels_(is_image_ ? n * size_ : 0),
        values_(is_image_ ? 0 : n * size_) {}

  void take(std::uint32_t first, std::span<const float> samples) {
    if (!all_finite(samples)) {
      throw NumericError("evaluate: a generator of the mixture makes samples that are not finite");
    }
    const auto place = static_cast<std::ptrdiff_t>(first * size_);
    if (is_image_) {
      std::ranges::transform(samples, pixels_.begin() + place, data::to_pixel);
    } else {
      std::ranges::copy(samples, values_.begin() + place);
    }
  }

  void read(std::uint32_t first, std::span<float> out) const {
    if (is_image_) {
      const auto pixels = std::span(pixels_).subspan(first * size_, out.size());
      std::ranges::transform(pixels, out.begin(), data::from_pixel);
    } else {
      std::ranges::copy(std::span(values_).subspan(first * size_, out.size()), out.begin());
    }
  }

 private:
  bool is_image_;
  std::size_t size_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> values_;
};

int evaluate_run(const CommandLine& line, std::ostream& out) {
  refuse_options(line, {"dataset", "range"}, "RUN");
  if (line.arguments.size() > 1) refuse("expected one RUN, found two");
  const std::uint64_t seed = seed_given(line);
  const bool is_best = line.given.has_flag("best");
  RunMixture run(line, line.arguments.front(), is_best);
  const data::Dataset& dataset = run.dataset();
  std::uint32_t n = number_given(line).value_or(kUsualNumber);
  if (run.is_of_pairs()) n = number_of_pairs(dataset, n);
  DrawnSamples drawn(dataset, n);
  run.sampler().draw({.seed = seed}, n,
                     [&](std::uint32_t first, std::span<const float> samples, auto) {
                       drawn.take(first, samples);
                     });
  const metrics::SampleSource samples{
      n, [&](std::uint32_t first, std::span<float> values) { drawn.read(first, values); }};
  write_evaluation(line, {dataset, samples, run.experiment().score.metric, run.run()},
                   fmt::format("{} samples of {}{}, seed {}", n, line.arguments.front(),
                               is_best ? " at its best" : "", seed),
                   out);
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace

int evaluate_command(const CommandLine& line, std::ostream& out) {
  if (line.given.has_flag("features")) return evaluate_features(line, out);
  if (line.given.has("samples")) return evaluate_files(line, out);
  if (!line.arguments.empty()) return evaluate_run(line, out);
  refuse("expected RUN, --samples PATH or --features REAL.npy FAKE.npy, found none");
}

}  // namespace lipizz::app
