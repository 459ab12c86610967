#include "nn/models.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

void expect_counts(std::string_view name, std::size_t generator, std::size_t discriminator) {
  const GanSpec gan = make_model(name);
  EXPECT_EQ(parameter_layout(gan.generator).n_parameters, generator) << name;
  EXPECT_EQ(parameter_layout(gan.discriminator).n_parameters, discriminator) << name;
}

TEST(Models, have_the_published_parameter_counts) {
  expect_counts("mlp", 283920, 267009);
  expect_counts("mlp-2d", 49666, 17025);
  expect_counts("dcgan28", 759680, 138624);
  expect_counts("dcgan32", 1068928, 663296);
  expect_counts("dcgan64", 3576704, 2765568);
  expect_counts("sngan32", 4276739, 1053824);
}

TEST(Models, a_discriminator_takes_what_its_generator_gives) {
  for (const ModelEntry& model : models()) {
    const GanSpec gan = model.make();
    EXPECT_EQ(n_outputs(gan.generator), gan.discriminator.n_inputs()) << model.name;
    EXPECT_EQ(n_outputs(gan.discriminator), 1U) << model.name;
  }
  EXPECT_THROW(make_model("mpl"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn
