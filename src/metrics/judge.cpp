#include "metrics/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "metrics/channel_features.hpp"
#include "metrics/classifier.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/shipped_judges.hpp"
#include "nn/exec/host_device.hpp"

namespace lipizz::metrics {
namespace {

// Raise it with anything that changes the judge: network, seed, epochs, layout.
constexpr std::uint64_t kVersion = 4;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.bytes(bytes);
  return hasher.digest();
}

double accuracy_of_test(const data::Dataset& dataset, Features& features_of_judge) {
  std::uint32_t n_right = 0;
  visit_features(dataset, Part::kTest, dataset.n_test(), features_of_judge,
                 [&](std::uint32_t first, std::span<const float> features) {
                   const std::size_t stride = features_of_judge.n_values() + std::size_t{1};
                   for (std::size_t row = 0; row < features.size() / stride; ++row) {
                     const float found = features[(row + 1) * stride - 1];
                     n_right += found == dataset.test_label(first + std::uint32_t(row)) ? 1 : 0;
                   }
                 });
  return dataset.n_test() == 0 ? 0 : double(n_right) / dataset.n_test();
}

nn::Buffer<float> train(const data::Dataset& dataset, const Progress& progress) {
  if (dataset.n_channel_classes() == 0) return train_classifier(dataset, progress);
  return train_classifier(ChannelView(dataset), progress);
}

}  // namespace

Judge train_judge(const data::Dataset& dataset, const Progress& progress) {
  LIPIZZ_ASSERT(dataset.n_classes() > 0);
  Judge judge{.parameters = train(dataset, progress), .real = {}};
  nn::HostDevice host;  // on the reference engine
  const auto features = judge_features(host, dataset, judge.parameters);
  judge.real = FeatureSums::of(dataset, Part::kTrain, dataset.n_train_full(), *features).mean();
  judge.test_accuracy = accuracy_of_test(dataset, *features);
  return judge;
}

std::unique_ptr<Features> judge_features(nn::Device& device, const data::Dataset& dataset,
                                         nn::Buffer<float> parameters) {
  if (dataset.n_channel_classes() > 0) {
    return std::make_unique<ChannelFeatures>(device, dataset, std::move(parameters));
  }
  return std::make_unique<ClassifierFeatures>(device, classifier_network(dataset),
                                              std::move(parameters));
}

Bytes pack_judge(const Judge& judge, const data::Dataset& dataset) {
  ByteWriter writer;
  writer.value(kVersion);
  writer.text(dataset.name());
  writer.value(dataset.content_hash());
  writer.values(std::span<const float>(judge.parameters));
  writer.values(std::span<const double>(judge.real.values));
  writer.value(judge.test_accuracy);
  Bytes bytes = writer.take();
  const std::uint64_t hash = hash_of(bytes);
  std::ranges::copy(std::as_bytes(std::span(&hash, 1)), std::back_inserter(bytes));
  return bytes;
}

Judge unpack_judge(std::span<const std::byte> bytes, const data::Dataset& dataset) {
  ByteReader reader(bytes, "the judge of dataset " + std::string(dataset.name()));
  const auto refuse = [&](const std::string& what) {
    throw CommError("the judge of dataset " + std::string(dataset.name()) + ": " + what);
  };
  if (bytes.size() < sizeof kVersion + sizeof(std::uint64_t)) refuse("too short");
  if (hash_of(bytes.first(bytes.size() - 8)) != judge_hash(bytes)) refuse("damaged");
  if (reader.value<std::uint64_t>() != kVersion) refuse("of another version");
  if (reader.text() != dataset.name() || reader.value<std::uint64_t>() != dataset.content_hash()) {
    refuse("made for other data");
  }
  Judge judge;
  judge.parameters.resize(nn::parameter_layout(classifier_network(dataset)).n_padded);
  const std::uint32_t n_units =
      ClassifierFeatures::kUnits * (dataset.n_channel_classes() > 0 ? dataset.shape().channels : 1);
  judge.real.values.resize(FeatureSums::n_values(n_units, dataset.n_classes()));
  reader.values_into(std::span<float>(judge.parameters));
  reader.values_into(std::span<double>(judge.real.values));
  judge.real.n_samples = dataset.n_train_full();
  judge.test_accuracy = reader.value<double>();
  reader.value<std::uint64_t>();
  reader.expect_end();
  return judge;
}

std::uint64_t judge_hash(std::span<const std::byte> bytes) {
  return ByteReader(bytes.last(8), "a judge's hash").value<std::uint64_t>();
}

// The one that comes with the program; empty where none is for these data.
Bytes shipped_judge(const data::Dataset& dataset) {
  for (const std::span<const std::byte> bytes : shipped_judges()) {
    try {
      unpack_judge(bytes, dataset);
      return copy_of(bytes);
    } catch (const CommError&) {
      continue;  // it is another dataset's
    }
  }
  return {};
}

Bytes prepare_image_judge(const data::Dataset& dataset, const CacheFolders& cache, const Log& log,
                          const Progress& progress) {
  if (Bytes shipped = shipped_judge(dataset); !shipped.empty()) return shipped;
  const std::string name =
      fmt::format("judge-{}-{}.bin", dataset.name(), to_hex(dataset.content_hash()));
  const auto accept = [&](std::span<const std::byte> bytes) { unpack_judge(bytes, dataset); };
  const auto make = [&] {
    log.info(fmt::format("training the classifier that judges {}", dataset.name()));
    const Judge judge = train_judge(dataset, progress);
    log.info(fmt::format("the classifier gets {:.2f} % of the test samples right",
                         100 * judge.test_accuracy));
    return pack_judge(judge, dataset);
  };
  return data::cached(cache, name, accept, make, log);
}

}  // namespace lipizz::metrics
