#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "data/cache.hpp"
#include "data/dataset_source.hpp"
#include "data/description.hpp"

namespace lipizz::data {

/// A set of samples addressed by index. Order and content never depend on ranks, threads or cells.
/// Immutable once opened; any thread may read. The samples of one node lie in one shared mapping.
class Dataset {
 public:
  virtual ~Dataset() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual SampleKind kind() const = 0;
  [[nodiscard]] virtual SampleShape shape() const = 0;
  /// The first channels of a sample, which a generator is given to make the others: half of the
  /// channels of pairs of images, else 0.
  [[nodiscard]] virtual std::uint32_t n_condition_channels() const { return 0; }

  /// Training samples that a run may use: the first max_samples of all there are.
  [[nodiscard]] virtual std::uint32_t n_train() const = 0;
  /// All training samples there are, whatever max_samples says; what scores compare with.
  [[nodiscard]] virtual std::uint32_t n_train_full() const = 0;
  [[nodiscard]] virtual std::uint32_t n_test() const = 0;
  [[nodiscard]] virtual std::uint32_t n_classes() const = 0;  // 0: no labels
  /// As SampleForm has it.
  [[nodiscard]] virtual std::uint32_t n_channel_classes() const { return 0; }

  /// Copies samples into out: [indices.size(), shape().size()] float32, images in [-1, 1].
  /// Training indices and labels go up to n_train_full().
  virtual void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const = 0;
  virtual void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const = 0;
  [[nodiscard]] virtual Label train_label(std::uint32_t index) const = 0;
  [[nodiscard]] virtual Label test_label(std::uint32_t index) const = 0;

  /// Says which training samples will be read next, so that they can be fetched meanwhile; these
  /// and those of the call before are held ready. Changes nothing that is read.
  virtual void expect_train(std::span<const std::uint32_t> /*indices*/) const {}

  /// The true modes, for point sets; empty for images.
  [[nodiscard]] virtual std::span<const Mode> modes() const = 0;

  /// A hash over all samples and labels, or the files that they are made of and how, independent of
  /// max_samples: the same on every machine.
  [[nodiscard]] virtual std::uint64_t content_hash() const = 0;

  /// A handle of a few hundred bytes. Another process of this user on this node hands it to
  /// open_shared_dataset() to map the same memory. It is good as long as this process holds the
  /// dataset; whoever mapped it by then keeps it. Empty: cannot be shared.
  [[nodiscard]] virtual Bytes share_handle() const { return {}; }
};

/// The form of its samples.
SampleForm form_of(const Dataset& dataset);

/// How files of one's own are read. Each dataset says which of these it reads; the others must be
/// as they are here.
struct OwnFiles {
  std::string path;                // a folder or a file
  std::string field;               // of HDF5: the dataset in the file; empty: its only one
  std::string range = "none";      // of floats that are pixels: `0..1`, `-1..1`
  std::uint32_t size = 0;          // height and width that images are brought to; 0: as they are
  std::string fit = "crop";        // how: `crop`, `stretch`
  std::uint32_t channels = 0;      // 1 grey, 3 colour; 0: as they are
  std::string condition = "left";  // the half of a picture that is given: `left`, `right`
  double test_share = 0.1;         // of all samples where files do not tell; not trained on
};

struct OpenOptions {
  std::string data_dir;           // holds mnist/, cifar10/ ...; empty: not given
  std::uint32_t max_samples = 0;  // 0: all
  OwnFiles own{};
  /// Samples that take more, and lie in files that can be read one by one, are streamed.
  std::uint64_t most_bytes = UINT64_MAX;
  std::uint32_t n_readers = 1;  // threads that read files
  CacheFolders cache{};
  Log log{};
};

/// The option that says where a dataset's files are.
enum class Origin {
  kBuiltIn,  // it has none
  kDataDir,  // OpenOptions::data_dir
  kPath,     // OwnFiles::path
};

struct DatasetEntry {
  std::string_view name;
  std::string_view summary;
  Origin origin;
  std::optional<SampleForm> form;  // none: as its files say
  bool is_paired = false;          // half of its channels are given
  /// The settings of one's own files that it reads beside the path: names as in OwnFiles.
  std::vector<std::string_view> reads = {};
  std::string_view model;  // the model pair that fits it; empty: by the form
  /// DataError when its files are missing or their headers make no sense.
  DatasetSource (*find)(const OpenOptions&);
};

/// Every dataset there is.
std::span<const DatasetEntry> datasets();

/// ConfigError naming the nearest when there is none of that name; DataError when its files are
/// missing or damaged.
std::shared_ptr<const Dataset> open_dataset(std::string_view name, const OpenOptions& options);
const DatasetEntry& find_dataset(std::string_view name);
/// Tells what open_dataset() would open, at the cost of a look at its files; the same errors.
Description describe_dataset(std::string_view name, const OpenOptions& options);

/// Maps what another process of this node has opened. Where that cannot be done (the handle is
/// empty, its process gone or out of reach) it tells the log why and opens a copy of its own.
std::shared_ptr<const Dataset> open_shared_dataset(std::string_view name,
                                                   const OpenOptions& options,
                                                   std::span<const std::byte> handle);

}  // namespace lipizz::data
