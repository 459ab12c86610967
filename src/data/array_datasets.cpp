#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "data/array_samples.hpp"
#include "data/csv.hpp"
#include "data/hdf5.hpp"
#include "data/npy.hpp"
#include "data/test_part.hpp"

namespace lipizz::data {

DatasetSource find_npy(const OpenOptions& options) {
  return array_source("npy", std::make_unique<ArrayReaderOf<NpyFile>>(options.own.path), options);
}

DatasetSource find_hdf5(const OpenOptions& options) {
  return array_source(
      "hdf5", std::make_unique<ArrayReaderOf<Hdf5File>>(options.own.path, options.own.field),
      options);
}

DatasetSource find_csv(const OpenOptions& options) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
  PointTable table = read_csv(options.own.path, kMostBytes);
  const auto n = static_cast<std::uint32_t>(table.n_rows());
  if (n < 2) {
    throw DataError(options.own.path + ": expected points for training and for tests, found one");
  }
  SampleParts parts = with_test_share(n, options.own.test_share);
  DatasetSource source;
  source.about.name = "csv";
  source.about.kind = SampleKind::kPoint;
  source.about.shape.channels = table.n_columns;
  source.about.n_train = parts.n_train;
  source.about.n_test = n - parts.n_train;
  source.load = [table = std::move(table), parts = std::move(parts)](const Content& content) {
    auto out = content.values.begin();
    for (const std::uint32_t row : parts.order) {
      out = std::copy_n(table.values.begin() + std::size_t{row} * table.n_columns, table.n_columns,
                        out);
    }
  };
  return source;
}

}  // namespace lipizz::data
