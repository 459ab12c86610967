#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "data/array_samples.hpp"
#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::array_datasets_test {
namespace {

using ::testing::HasSubstr;
using testing::OwnOptions;
using testing::put_text;

TEST(ArrayDatasets, lines_of_a_csv_are_points) {
  const TemporaryFolder folder;
  std::string text = "x,y\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ",-0.5\n";
  put_text(folder.path() / "a.csv", text);
  OwnOptions own(folder.path() / "a.csv");
  own.options.own.test_share = 0.2;
  const auto points = open_dataset("csv", own.options);
  EXPECT_EQ(form_of(*points), (SampleForm{.kind = SampleKind::kPoint, .shape = {.channels = 2}}));
  EXPECT_EQ(points->n_train(), 16U);
  EXPECT_EQ(points->n_test(), 4U);
  std::set<float> all;
  for (const float value : read_train(*points, 16)) all.insert(value);
  for (const float value : read_test(*points, 4)) all.insert(value);
  EXPECT_EQ(all.size(), 21U);
  put_text(folder.path() / "a.csv", "1,2\n3,four\n");
  EXPECT_THAT(data_error([&] { open_dataset("csv", own.options); }),
              HasSubstr("a.csv:2: expected"));
}

TEST(ArrayDatasets, the_first_lines_of_a_sorted_csv_are_not_the_first_points) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + "\n";
  put_text(folder.path() / "a.csv", text);
  const OwnOptions own(folder.path() / "a.csv");
  const auto points = open_dataset("csv", own.options);
  for (const std::vector<float>& values : {read_train(*points, 10), read_test(*points, 10)}) {
    EXPECT_LT(std::ranges::min(values), 30);
    EXPECT_GT(std::ranges::max(values), 70);
  }
}

TEST(ArrayDatasets, files_of_another_kind_are_named) {
  const TemporaryFolder folder;
  put_text(folder.path() / "a", "text");
  OwnOptions own(folder.path() / "a");
  for (const char* dataset : {"npy", "hdf5", "csv"}) {
    EXPECT_THAT(data_error([&] { open_dataset(dataset, own.options); }),
                HasSubstr((folder.path() / "a").string()));
  }
}

}  // namespace
}  // namespace lipizz::data::array_datasets_test
