#include "nn/exec/libraries.hpp"

#include <Eigen/Core>

#include "nn/cpu/onednn_engine.hpp"

namespace lipizz::nn {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::vector<Library> libraries() {
  std::vector<Library> all;
  if (has_onednn()) all.push_back({"oneDNN", onednn_version()});
  all.push_back({"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)});
  return all;
}

}  // namespace lipizz::nn
