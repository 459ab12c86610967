#include "setup/samples.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "core/error.hpp"
#include "data/npy.hpp"
#include "setup/resolve.hpp"
#include "setup/validate.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::setup::samples_test {
namespace {

using ::testing::HasSubstr;

config::Experiment of(const std::string& dataset, const std::string& shape = "",
                      std::uint32_t classes = 0) {
  config::Experiment experiment;
  experiment.data.dataset = dataset;
  experiment.data.own.path = "/data/mine";
  experiment.data.own.shape = shape;
  experiment.data.own.classes = classes;
  return experiment;
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Samples, have_the_form_of_the_table_or_of_the_settings) {
  EXPECT_EQ(form_of({}), data::find_dataset("glyphs").form);
  EXPECT_EQ(form_of(of("image-folder")), std::nullopt);
  const auto images = form_of(of("image-folder", "48x64x3", 5));
  ASSERT_TRUE(images);
  EXPECT_EQ(shape_text(*images), "48x64x3");
  EXPECT_EQ(images->n_classes, 5U);
  const auto points = form_of(of("csv", "7"));
  ASSERT_TRUE(points);
  EXPECT_EQ(points->kind, data::SampleKind::kPoint);
  EXPECT_EQ(points->shape.size(), 7U);
  EXPECT_EQ(form_of(of("pairs", "32x32x6"))->n_condition_channels, 3U);
}

TEST(Samples, a_shape_that_is_none_is_refused) {
  for (const char* shape :
       {"x", "0", "28x28", "1x2x3x4", "28x28x-1", "99999x99999x99999", "28x28xa"}) {
    EXPECT_THAT(complaint([&] { form_of(of("npy", shape)); }), HasSubstr("data.shape: expected"))
        << shape;
  }
}

TEST(Samples, decide_which_model_auto_is) {
  const auto model = [](const config::Experiment& e) { return resolved(e).model.name; };
  EXPECT_EQ(model({}), "mlp");
  EXPECT_EQ(model(of("npy", "28x28x1")), "dcgan");
  EXPECT_EQ(model(of("npy", "30x31x1")), "mlp");
  EXPECT_EQ(model(of("csv", "12")), "mlp");
  EXPECT_EQ(model(of("pairs", "64x64x6")), "pix2pix");
  EXPECT_EQ(model(of("npy")), "auto") << "the files have to tell";
}

TEST(Samples, are_found_in_files_where_settings_do_not_tell) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "a.npy";
  data::write_npy(path, std::vector<std::uint64_t>{40, 3}, std::vector<float>(120, 0.5f));
  config::Experiment experiment = of("npy");
  experiment.data.own.path = path;
  experiment = with_form(experiment, open_options(experiment));
  EXPECT_EQ(experiment.data.own.shape, "3");
  experiment.data.batch_size = 10;
  EXPECT_NO_THROW(validate(experiment));
  const auto dataset = data::open_dataset("npy", open_options(experiment));
  EXPECT_NO_THROW(expect_form(experiment, *dataset));
  experiment.data.own.shape = "4";
  EXPECT_THAT(complaint([&] { expect_form(experiment, *dataset); }),
              HasSubstr("expected samples of 4 in 0 classes"));
}

TEST(Samples, settings_that_a_dataset_does_not_read_are_refused) {
  const auto refusal = [](config::Experiment experiment) {
    return complaint([&] { validate(experiment); });
  };
  config::Experiment mnist = of("mnist");
  EXPECT_THAT(refusal(mnist), HasSubstr("data.path: the dataset mnist does not read it"));
  config::Experiment npy = of("npy");
  npy.data.own.size = 32;
  EXPECT_THAT(refusal(npy), HasSubstr("data.size: the dataset npy does not read it; leave it out"));
  npy = of("npy");
  npy.data.own.path.clear();
  EXPECT_THAT(refusal(npy), HasSubstr("--data-path"));
  config::Experiment folder = of("image-folder");
  folder.data.own.channels = 2;
  EXPECT_THAT(refusal(folder), HasSubstr("expected 1 or 3"));
  EXPECT_EQ(refusal(of("image-folder")), "") << "the rest is known when the files are";
}

}  // namespace
}  // namespace lipizz::setup::samples_test
