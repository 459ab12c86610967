#include "metrics/frechet.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "core/finite.hpp"
#include "metrics/packed_rows.hpp"

namespace lipizz::metrics {
namespace {

using Matrix = Eigen::MatrixXd;
using MatrixView = Eigen::Map<const Matrix>;

MatrixView matrix(std::span<const double> values, std::size_t d) {
  const auto n = static_cast<Eigen::Index>(d);
  return {values.data(), n, n};
}

PackedRows<double> packed(const Matrix& rows) {
  const auto n = static_cast<std::size_t>(rows.rows());
  PackedRows<double> result(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      result.set(i, k, rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
    }
  }
  return result;
}

// a b^T. Eigen's product would cut the sums by the sizes of the caches that it finds.
Matrix product(const Matrix& a, const Matrix& b) {
  using Packed = PackedRows<double>;
  const Packed rows = packed(a);
  const Packed columns = packed(b);
  Matrix result(a.rows(), a.rows());
  Packed::Tile tile;
  for (Eigen::Index i = 0; i < result.rows(); i += Packed::kTileRows) {
    for (Eigen::Index j = 0; j < result.cols(); j += Packed::kPanelRows) {
      rows.multiply(static_cast<std::size_t>(i), columns,
                    static_cast<std::size_t>(j) / Packed::kPanelRows, tile);
      for (Eigen::Index r = i; r < std::min<Eigen::Index>(i + Packed::kTileRows, a.rows()); ++r) {
        for (Eigen::Index c = j; c < std::min<Eigen::Index>(j + Packed::kPanelRows, a.rows());
             ++c) {
          result(r, c) = tile[static_cast<std::size_t>(r - i)][static_cast<std::size_t>(c - j)];
        }
      }
    }
  }
  return result;
}

Matrix symmetric_root(const MatrixView& covariance) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);
  const Matrix& vectors = solver.eigenvectors();
  const Matrix scaled = vectors * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  return product(scaled, vectors);
}

// tr((root other root)^1/2) of symmetric matrices.
double trace_of_root(const MatrixView& root, const MatrixView& other) {
  const Matrix both = product(product(root, other), root);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(both, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().sum();
}

}  // namespace

FrechetDistance::FrechetDistance(Gaussian reference) : reference_(std::move(reference)) {
  const std::size_t d = reference_.mean.size();
  LIPIZZ_ASSERT(reference_.covariance.size() == d * d);
  LIPIZZ_ASSERT(all_finite(reference_.mean) && all_finite(reference_.covariance));
  const Matrix root = symmetric_root(matrix(reference_.covariance, d));
  root_.assign(root.data(), root.data() + root.size());
}

double FrechetDistance::to(const Gaussian& other) const {
  const std::size_t d = reference_.mean.size();
  LIPIZZ_ASSERT(other.mean.size() == d && other.covariance.size() == d * d);
  if (!all_finite(other.mean) || !all_finite(other.covariance)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double distance = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double difference = reference_.mean[i] - other.mean[i];
    distance += difference * difference;
    distance += reference_.covariance[i * d + i] + other.covariance[i * d + i];
  }
  distance -= 2 * trace_of_root(matrix(root_, d), matrix(other.covariance, d));
  return std::max(distance, 0.0);
}

}  // namespace lipizz::metrics
