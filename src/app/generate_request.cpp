#include "app/generate_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>

#include "app/option_number.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostSamples = 1'000'000'000;
constexpr std::uint32_t kMostFiles = 10'000'000;
constexpr std::uint32_t kMostSteps = 1000;
constexpr std::uint32_t kMostLines = 10'000;
constexpr std::uint32_t kMostNearest = 100;

struct FormatEntry {
  std::string_view name;
  SampleFormat format;
  std::string_view extension;  // of the file; none: a folder
};
constexpr std::array<FormatEntry, 4> kFormats{{{"png", SampleFormat::kPng, ""},
                                               {"npy", SampleFormat::kNpy, ".npy"},
                                               {"csv", SampleFormat::kCsv, ".csv"},
                                               {"sheet", SampleFormat::kSheet, ".png"}}};

const FormatEntry& entry_of(SampleFormat format) {
  return *std::ranges::find(kFormats, format, &FormatEntry::format);
}

std::pair<std::uint64_t, std::uint64_t> seeds_of(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() == 2) {
    const auto a = parse_number<std::uint64_t>(parts[0]);
    const auto b = parse_number<std::uint64_t>(parts[1]);
    if (a && b) return {*a, *b};
  }
  throw ConfigError("--between: expected two seeds, for example 3,8; found \"" + shortened(text) +
                    "\"");
}

SampleFormat format_of(const std::string& name) {
  const auto found = std::ranges::find(kFormats, name, &FormatEntry::name);
  if (found != kFormats.end()) return found->format;
  std::vector<std::string> known;
  for (const FormatEntry& entry : kFormats) known.emplace_back(entry.name);
  throw ConfigError("--format: there is no \"" + shortened(name) + "\"" + suggestion(name, known));
}

SampleFormat format_for(const GenerateRequest& request, bool is_image) {
  if (request.format) return *request.format;
  const fs::path extension = request.output.extension();
  for (const FormatEntry& entry : kFormats) {
    if (!entry.extension.empty() && extension == entry.extension) return entry.format;
  }
  if (!request.between.empty() || (is_image && request.n_nearest > 0)) return SampleFormat::kSheet;
  return is_image ? SampleFormat::kPng : SampleFormat::kNpy;
}

void expect_format(const GenerateRequest& request, const worker::MixtureDescription& mixture) {
  const bool is_image = mixture.kind == data::SampleKind::kImage;
  const std::string name(entry_of(*request.format).name);
  const auto refuse = [&](const std::string& why) {
    throw ConfigError("--format " + name + ": " + why);
  };
  if (*request.format == SampleFormat::kCsv && is_image) {
    refuse("is for points, and this run makes images; choose npy");
  }
  if (*request.format == SampleFormat::kPng && !is_image) {
    refuse("is for images, and this run makes points; choose npy, csv or sheet");
  }
  if (*request.format == SampleFormat::kNpy || *request.format == SampleFormat::kCsv) return;
  const bool is_pair = mixture.model.n_condition_channels > 0;
  const std::uint32_t channels = mixture.shape.channels / (is_pair ? 2 : 1);
  if (is_image && channels != 1 && channels != 3) {
    refuse(fmt::format("shows grey and colours, and these images have {}; choose npy",
                       counted(channels, "channel")));
  }
  if (!is_image && mixture.shape.size() != 2) {
    refuse(fmt::format("shows points of the plane, and these have {}; choose npy or csv",
                       counted(mixture.shape.size(), "dimension")));
  }
  if (!is_image && request.n_nearest > 0) {
    refuse("shows no neighbours of points; choose npy or csv with --nearest");
  }
  if (*request.format == SampleFormat::kPng && request.n > kMostFiles) {
    refuse(fmt::format("makes a file of each sample, at most {}; choose npy", kMostFiles));
  }
}

void expect_classes(const GenerateRequest& request, std::uint32_t n_classes) {
  if (!request.only_class) return;
  if (n_classes == 0) {
    throw ConfigError(
        "--class: this run's networks are not told classes; train with --set "
        "class_conditional=true");
  }
  if (*request.only_class >= n_classes) {
    throw ConfigError(fmt::format("--class: expected a class from 0 to {}, found {}", n_classes - 1,
                                  *request.only_class));
  }
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path default_output(const fs::path& run, const GenerateRequest& request) {
  const char* const what = !request.between.empty() ? "-between"
                           : request.n_nearest > 0  ? "-nearest"
                                                    : "-samples";
  std::error_code none;
  if (const fs::path here = fs::current_path(none); is_within(here, run)) {
    throw ConfigError(
        "generate: the working folder is the run's own, which stays as it is; name "
        "another place with --output");
  }
  return run.filename().string() + what + std::string(entry_of(*request.format).extension);
}

}  // namespace

GenerateRequest generate_request(const CommandLine& line) {
  GenerateRequest request;
  read_number(line, "number", 1U, kMostSamples, request.n);
  read_number<std::uint64_t>(line, "seed", 0, UINT64_MAX, request.seed);
  read_number(line, "steps", 2U, kMostSteps, request.n_steps);
  read_number(line, "nearest", 1U, kMostNearest, request.n_nearest);
  request.is_best = line.given.has_flag("best");
  if (line.given.has("class")) {
    request.only_class = whole_number("class", line.given.text("class"), 0U, UINT32_MAX);
  }
  for (const std::string& pair : line.given.list("between")) {
    request.between.push_back(seeds_of(pair));
  }
  if (line.given.has("format")) request.format = format_of(line.given.text("format"));
  request.output = line.run.output_dir;
  const auto refuse_with = [&](bool is_wrong, const char* option, const char* why) {
    if (is_wrong && line.given.has(option)) throw ConfigError(fmt::format("--{}: {}", option, why));
  };
  const bool is_line = !request.between.empty();
  refuse_with(!is_line, "steps", "belongs to --between A,B");
  refuse_with(is_line, "number", "a line has as many samples as --steps says");
  refuse_with(is_line, "seed", "a line goes from one seed to another, --between A,B");
  return request;
}

GenerateRequest completed(GenerateRequest request, const worker::MixtureDescription& mixture,
                          const fs::path& run) {
  const bool is_image = mixture.kind == data::SampleKind::kImage;
  const std::uint32_t n_classes = mixture.model.n_classes();
  if (!request.between.empty()) {
    if (mixture.model.n_condition_channels > 0) {
      throw ConfigError("--between: this run translates images, and has no latents");
    }
    const std::uint64_t n_lines =
        request.between.size() * (request.only_class ? 1 : std::max(1U, n_classes));
    if (n_lines > kMostLines) {
      throw ConfigError(
          fmt::format("--between: expected at most {} lines, found {}", kMostLines, n_lines));
    }
    request.n = static_cast<std::uint32_t>(n_lines) * request.n_steps;
  }
  request.format = format_for(request, is_image);
  expect_format(request, mixture);
  expect_classes(request, n_classes);
  if (request.output.empty()) request.output = default_output(run, request);
  if (!request.output.has_filename()) request.output = request.output.parent_path();
  return request;
}

}  // namespace lipizz::app
