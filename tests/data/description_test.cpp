#include "data/description.hpp"

#include <gtest/gtest.h>

namespace lipizz::data::description_test {
namespace {

TEST(Description, shapes_are_written_as_settings_have_them) {
  SampleForm form;
  form.shape = {.height = 28, .width = 32, .channels = 3};
  EXPECT_EQ(shape_text(form), "28x32x3");
  form.kind = SampleKind::kPoint;
  form.shape = {.height = 1, .width = 1, .channels = 7};
  EXPECT_EQ(shape_text(form), "7");
}

TEST(Description, streamed_samples_take_the_memory_of_their_labels) {
  Description about;
  about.shape = {.height = 4, .width = 5, .channels = 3};
  about.n_train = 8;
  about.n_test = 2;
  EXPECT_EQ(about.content_bytes(), 600U + 20);
  about.is_streamed = true;
  EXPECT_EQ(about.content_bytes(), 20U);
}

}  // namespace
}  // namespace lipizz::data::description_test
