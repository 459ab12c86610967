#pragma once

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <string>

#include "written_mixture.hpp"

namespace lipizz::worker::testing {

inline constexpr std::uint32_t kClasses = 3;

struct Ended {
  int status;
  std::string output;
};

inline Ended run(const std::string& command) {
  Ended ended{-1, ""};
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
    ended.output.append(part.data(), n);
  }
  ended.status = ::pclose(pipe);
  return ended;
}

/// With the reader that lies in its folder.
class ReadMixture : public WrittenMixture {
 public:
  using WrittenMixture::WrittenMixture;
  [[nodiscard]] Ended read(const std::string& arguments = "") const {
    return run(LIPIZZ_PYTHON " -B " + (path() / "read_mixture.py").string() + " " + arguments);
  }
};

/// Both generators of a mixture give the samples that this program's engines gave, for each model
/// whose generator has a wanted number of parameters. The largest are built of the same layers as
/// their small ones.
template <typename IsWanted>
void expect_models_read(const IsWanted& is_wanted) {
  for (const nn::ModelEntry& entry : nn::models()) {
    // Without classes it is a part of what it is with them.
    const nn::GanSpec model =
        nn::make_model(entry.name, {.n_classes = entry.can_be_conditional ? kClasses : 0});
    const std::size_t n_parameters = nn::parameter_layout(model.generator).n_parameters;
    if (n_parameters > 12'000'000 || !is_wanted(n_parameters)) continue;
    const std::uint32_t n = n_parameters > 4'000'000 ? 1 : n_parameters > 1'000'000 ? 2 : 8;
    const Ended ended = ReadMixture(std::string(entry.name), model, n).read();
    EXPECT_EQ(ended.status, 0) << entry.name << ": " << ended.output;
    EXPECT_THAT(ended.output, ::testing::HasSubstr("2 generators agree with the examples"));
  }
}

}  // namespace lipizz::worker::testing
