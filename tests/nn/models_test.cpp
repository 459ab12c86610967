#include "nn/models.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

TEST(Models, have_the_published_parameter_counts) {
  const GanSpec mlp = make_model("mlp");
  EXPECT_EQ(parameter_layout(mlp.generator).n_parameters, 283920U);
  EXPECT_EQ(parameter_layout(mlp.discriminator).n_parameters, 267009U);
  const GanSpec toy = make_model("mlp-2d");
  EXPECT_EQ(parameter_layout(toy.generator).n_parameters, 49666U);
  EXPECT_EQ(parameter_layout(toy.discriminator).n_parameters, 17025U);
}

TEST(Models, a_discriminator_takes_what_its_generator_gives) {
  for (const ModelEntry& model : models()) {
    const GanSpec gan = model.make();
    EXPECT_EQ(gan.generator.outputs(), gan.discriminator.inputs) << model.name;
    EXPECT_EQ(gan.discriminator.outputs(), 1U) << model.name;
  }
  EXPECT_THROW(make_model("mpl"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn
