#include "nn/base/augmentation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "nn/finite_differences.hpp"
#include "nn/one_operation.hpp"

namespace lipizz::nn::augmentation_test {
namespace {

using testing::Operand;
using Values = std::vector<double>;

const double kJustBelow1 = std::nextafter(1.0f, 0.0f);
constexpr Augmentation kColor{.has_color = true};
constexpr Augmentation kTranslation{.has_translation = true};
constexpr Augmentation kCutout{.has_cutout = true};

Values changed(const Augmentation& by, const Shape& shape, const Values& x, const Values& u,
               const Operation& operation = kAugment) {
  const auto y = testing::run_once<double>(
      testing::kReference, operation,
      {{shape, {x.begin(), x.end()}}, {{shape[0], kNAugmentUniforms}, {u.begin(), u.end()}}},
      {.augmentation = by});
  return {y.begin(), y.end()};
}

void expect_near(const Values& found, const Values& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-12) << i;
}

// Two pixels of two channels: means 2 and 6, of the image 4. Uniforms: brightness, saturation,
// contrast, two of place, two of the hole.
TEST(Augmentation, colours_change_about_their_means) {
  const Shape shape{1, 1, 2, 2};
  const Values image{1, 3, 4, 8};
  const auto by = [&](double brightness, double saturation, double contrast) {
    return changed(kColor, shape, image, {brightness, saturation, contrast, 0, 0, 0, 0});
  };
  expect_near(by(0.5, 0.5, 0.5), image);
  expect_near(by(0, 0.5, 0.5), {0.5, 2.5, 3.5, 7.5});
  expect_near(by(0.5, 0, 0.5), {2, 2, 6, 6});
  expect_near(by(0.5, 0.75, 0.5), {0.5, 3.5, 3, 9});
  expect_near(by(0.5, 0.5, 0), {2.5, 3.5, 4, 6});
  expect_near(by(1, 0, 0), {3.5, 3.5, 5.5, 5.5});
}

Values counting(std::size_t n) {
  Values values;
  for (std::size_t i = 1; i <= n; ++i) values.push_back(static_cast<double>(i));
  return values;
}

// An eighth of 4 pixels is rounded to one.
TEST(Augmentation, places_move_by_up_to_an_eighth_and_zeros_move_in) {
  const Shape shape{1, 4, 4, 1};
  const auto by = [&](double down, double right) {
    return changed(kTranslation, shape, counting(16), {0, 0, 0, down, right, 0, 0});
  };
  expect_near(by(0.5, 0.5), counting(16));
  expect_near(by(0, 0.5), {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0, 0});
  expect_near(by(kJustBelow1, 0.5), {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  expect_near(by(0.5, 0), {2, 3, 4, 0, 6, 7, 8, 0, 10, 11, 12, 0, 14, 15, 16, 0});
  expect_near(by(kJustBelow1, kJustBelow1), {0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11});
}

TEST(Augmentation, a_hole_of_half_the_extent_lies_anywhere) {
  const Shape shape{1, 4, 4, 1};
  const auto by = [&](double row, double column) {
    return changed(kCutout, shape, counting(16), {0, 0, 0, 0, 0, row, column});
  };
  expect_near(by(0.5, 0.5), {1, 2, 3, 4, 5, 0, 0, 8, 9, 0, 0, 12, 13, 14, 15, 16});
  expect_near(by(0, 0), {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  expect_near(by(kJustBelow1, 0.5), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 0, 16});
}

TEST(Augmentation, each_image_follows_its_own_numbers) {
  const Shape shape{2, 1, 2, 1};
  Values u(2 * kNAugmentUniforms, 0.5);
  u[kNAugmentUniforms] = 0.75;
  expect_near(changed(kColor, shape, {1, 2, 3, 4}, u), {1, 2, 3.25, 4.25});
}

std::vector<Augmentation> all_augmentations() {
  std::vector<Augmentation> all;
  for (const int which : {1, 2, 3, 4, 5, 6, 7}) {
    all.push_back({(which & 1) != 0, (which & 2) != 0, (which & 4) != 0});
  }
  return all;
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Values normals(const Shape& shape, std::uint32_t key) {
  return testing::doubles(testing::normals(n_elements(shape), key));
}

void expect_adjoint(const Augmentation& by, const Shape& shape, const Values& u) {
  const Values x = normals(shape, 1);
  const Values y = normals(shape, 2);
  Values difference = changed(by, shape, x, u);
  const Values of_zero = changed(by, shape, Values(x.size()), u);
  for (std::size_t i = 0; i < x.size(); ++i) difference[i] -= of_zero[i];
  EXPECT_NEAR(dot(difference, y), dot(x, changed(by, shape, y, u, kAugmentGradient)), 1e-10);
}

TEST(Augmentation, its_gradient_is_its_adjoint) {
  for (const Augmentation& by : all_augmentations()) {
    for (const Shape& shape : std::vector<Shape>{{3, 1, 1, 1}, {2, 5, 7, 3}, {2, 12, 9, 2}}) {
      const std::size_t n = shape[0] * kNAugmentUniforms;
      Buffer<float> inner(n);
      Random(5, Purpose::kTest).uniforms(0, inner);
      expect_adjoint(by, shape, testing::doubles(inner));
      expect_adjoint(by, shape, Values(n, 0.0));
      expect_adjoint(by, shape, Values(n, kJustBelow1));
    }
  }
}

TEST(Augmentation, engines_agree) {
  const Shape shape{2, 5, 7, 3};
  Operand<float> u{{2, kNAugmentUniforms}, Buffer<float>(2 * kNAugmentUniforms)};
  Random(5, Purpose::kTest).uniforms(0, u.values);
  for (const Augmentation& by : all_augmentations()) {
    for (const Operation* operation : {&kAugment, &kAugmentGradient}) {
      const Values judge =
          changed(by, shape, normals(shape, 1), testing::doubles(u.values), *operation);
      for (const auto& device : testing::devices()) {
        EXPECT_LT(testing::relative_l2(
                      testing::run_once(*device, *operation, {testing::drawn(shape, 1), u},
                                        {.augmentation = by}),
                      judge),
                  1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::augmentation_test
