#include "nn/network/models.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

void expect_counts(std::string_view name, std::size_t generator, std::size_t discriminator,
                   std::uint32_t n_classes = 0) {
  const GanSpec gan = make_model(name, n_classes);
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
  expect_counts("sngan32", 4304387, 1053824 + 1280, 10);
  expect_counts("biggan32", 4304387, 4207361, 10);
  expect_counts("biggan32-attention", 9416196, 10194053, 10);
  expect_counts("pix2pix", 54413955, 2768705);
}

TEST(Models, pix2pix_judges_patches) {
  EXPECT_EQ(n_outputs(make_model("pix2pix").discriminator), 30U * 30);
  EXPECT_EQ(n_outputs(make_model("pix2pix32").discriminator), 14U * 14);
}

TEST(Models, a_discriminator_takes_what_its_generator_gives) {
  for (const ModelEntry& model : models()) {
    for (const std::uint32_t n_classes : {0U, 10U}) {
      if (n_classes > 0 && !model.can_be_conditional) continue;
      const GanSpec gan = model.make(n_classes);
      EXPECT_EQ(n_outputs(gan.generator), gan.discriminator.n_inputs()) << model.name;
      EXPECT_EQ(gan.n_classes(), n_classes);
      EXPECT_EQ(gan.discriminator.n_classes, n_classes);
      const bool is_single = n_outputs(gan.discriminator) == 1;
      EXPECT_EQ(is_single, gan.n_condition_channels == 0) << model.name;
    }
  }
  EXPECT_THROW(make_model("mlp-2d", 10), ConfigError);
  EXPECT_THROW(make_model("mpl"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn
