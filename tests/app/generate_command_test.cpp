#include "app/generate_command.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "data/npy.hpp"
#include "finished_run.hpp"

namespace lipizz::app::generate_command_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class GenerateCommand : public FinishedRunTest {
 protected:
  std::string generate(const std::string& output, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"generate", base_ / "run", "--output", base_ / output});
    std::ostringstream out;
    EXPECT_EQ(generate_command(parse_command_line(arguments), out), 0);
    return out.str();
  }
  [[nodiscard]] std::vector<float> points(const std::string& name) const {
    const data::NpyFile file(base_ / name);
    std::vector<float> values(file.layout().n_rows() * 2);
    file.read(0, values);
    return values;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in(base_ / name, std::ios::binary);
    EXPECT_TRUE(in) << name;
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(GenerateCommand, says_what_it_has_made_of_what) {
  EXPECT_THAT(generate("a.npy", {"--number", "1"}),
              AllOf(HasSubstr("1 sample of the mixture of cell 0,"),
                    HasSubstr("generation 3, computed on cpu by reference (baseline)"),
                    HasSubstr("a.npy, shape (1, 2), float32")));
  EXPECT_THAT(generate("b.npy", {"--best"}), HasSubstr("100 samples of the mixture of cell 0,"));
}

TEST_F(GenerateCommand, makes_the_same_in_every_format_and_goes_on_where_it_made_fewer) {
  generate("a.npy", {"--number", "50"});
  generate("b.npy", {"--number", "70"});
  generate("c.csv", {"--number", "50"});
  generate("d.npy", {"--number", "50", "--seed", "2"});
  const std::vector<float> fifty = points("a.npy");
  const std::vector<float> seventy = points("b.npy");
  EXPECT_TRUE(std::equal(fifty.begin(), fifty.end(), seventy.begin()));
  EXPECT_NE(points("d.npy"), fifty);
  std::istringstream lines(text("c.csv"));
  for (std::size_t i = 0; i < fifty.size(); ++i) {
    std::string number;
    ASSERT_TRUE(std::getline(lines, number, i % 2 == 0 ? ',' : '\n'));
    EXPECT_EQ(std::stof(number), fifty[i]);
  }
}

TEST_F(GenerateCommand, goes_from_the_first_sample_of_a_seed_to_that_of_another) {
  generate("line.npy", {"--between", "4,9", "--steps", "5", "--format", "npy"});
  generate("back.npy", {"--between", "9,4", "--steps", "5", "--format", "npy"});
  const std::vector<float> line = points("line.npy");
  const std::vector<float> back = points("back.npy");
  ASSERT_EQ(line.size(), 10U);
  EXPECT_EQ(std::vector(line.begin(), line.begin() + 2), std::vector(back.end() - 2, back.end()));
  EXPECT_EQ(std::vector(line.end() - 2, line.end()), std::vector(back.begin(), back.begin() + 2));
  EXPECT_NE(line[0], line[2]);
}

TEST_F(GenerateCommand, puts_the_nearest_training_samples_beside) {
  EXPECT_THAT(generate("a.npy", {"--number", "4", "--nearest", "2"}),
              HasSubstr("nearest of all: sample "));
  const std::string lines = text("a-nearest.csv");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1 + 4 * 2);
}

TEST_F(GenerateCommand, shows_points_as_a_scatter_plot) {
  generate("a.png");
  EXPECT_THAT(text("a.png"), ::testing::StartsWith("\x89PNG"));
}

TEST_F(GenerateCommand, leaves_nothing_where_it_fails) {
  const fs::path weights = base_ / "run/mixture/cell-1.safetensors";
  fs::resize_file(weights, fs::file_size(weights) / 2);
  EXPECT_THAT([&] { generate("a.npy"); },
              ThrowsMessage<CheckpointError>(HasSubstr("cell-1.safetensors")));
  EXPECT_THAT([&] { generate("missing/b.npy", {"--best"}); },
              ThrowsMessage<CheckpointError>(HasSubstr("check that the folder exists")));
  EXPECT_EQ(std::distance(fs::directory_iterator(base_), {}), 1);
}

}  // namespace
}  // namespace lipizz::app::generate_command_test
