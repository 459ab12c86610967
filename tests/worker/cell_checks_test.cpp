#include "worker/cell_checks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "coev/support.hpp"
#include "core/error.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker::cell_checks_test {
namespace {

using coev::NetworkRole;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint32_t kNCells = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const checkpoint::CellOrigin kOrigin{
    .cell = {1},
    .generation = 5,
    .lineage = {.configuration = 0xabcU, .numerics = "baseline", .dataset = 7, .judge = 5}};

// With running statistics and a moving average.
coev::Settings settings_of_all_kinds() {
  coev::Settings settings = coev::testing::tiny_settings();
  settings.model.generator.layers.insert(settings.model.generator.layers.begin() + 1,
                                         nn::Layer{.kind = &nn::kBatchNormLayer});
  settings.steps.average_decay = 0.99;
  settings.operators.loss_mutation.losses = {1, 2};
  settings.generator.optimizer.mixed = {nn::Half::kFp16};
  settings.discriminator.optimizer.mixed = {nn::Half::kFp16};
  return settings;
}

coev::CellState good_state(const coev::Settings& settings) {
  coev::CellState state;
  state.id = kOrigin.cell;
  state.generation = kOrigin.generation;
  const auto shapes = coev::genome_shapes(settings);
  state.centre = {shapes.generator.make(), shapes.discriminator.make()};
  state.mixture = {{{1}, {0}}, {0.25, 0.75}};
  return state;
}

struct Fixture {
  std::string complaint(const std::function<void(coev::CellState&)>& change) const {
    coev::CellState state = good_state(settings);
    change(state);
    try {
      check_numbers(state, settings, kNCells, "place");
      return "";
    } catch (const CheckpointError& error) {
      EXPECT_THAT(error.what(), StartsWith("place: "));
      return error.what();
    }
  }
  // The same change to either network is refused.
  void expect_refused(const std::function<void(coev::Genome&)>& change,
                      const std::string& tensor) const {
    for (const NetworkRole role : coev::kNetworkRoles) {
      const std::string told =
          complaint([&](coev::CellState& state) { change(genome(state.centre, role)); });
      EXPECT_THAT(told, HasSubstr(std::string(to_string(role)) + tensor + ": expected "));
    }
  }

  coev::Settings settings = settings_of_all_kinds();
};

TEST(CellChecks, a_state_that_the_algorithm_could_have_written_passes) {
  const Fixture checks;
  EXPECT_EQ(checks.complaint([](coev::CellState&) {}), "");
  EXPECT_EQ(checks.complaint([](coev::CellState& state) {
    state.centre.generator.parameters.writable()[0] = -0.0f;
    state.centre.generator.moments.writable()[0] = -1;
    state.centre.generator.loss = 2;
    state.centre.generator.step = 1U << 31;
    state.mixture = {{{1}}, {1}};
  }),
            "");
}

TEST(CellChecks, weights_and_moments_are_finite) {
  const Fixture checks;
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    const auto value = static_cast<float>(bad);
    checks.expect_refused([&](coev::Genome& g) { g.parameters.writable()[0] = value; },
                          ".0.weight");
    checks.expect_refused([&](coev::Genome& g) { g.moments.writable()[0] = value; },
                          ".moment1.0.weight");
  }
  EXPECT_THAT(checks.complaint([](coev::CellState& state) {
    state.centre.generator.average.writable()[0] = std::nanf("");
  }),
              HasSubstr("generator.average.0.weight: expected finite numbers"));
}

TEST(CellChecks, means_of_squares_are_not_negative) {
  Fixture checks;
  const auto set_first_of_last_moment = [](coev::Genome& g) {
    g.moments.writable()[g.moments.size() - g.parameters.size()] =
        -std::numeric_limits<float>::min();  // a denormal is zero to threads that compute
  };
  checks.expect_refused(set_first_of_last_moment, ".moment2.0.weight");
  checks.settings.generator.optimizer.kind = nn::find_optimizer("rmsprop");
  checks.settings.discriminator.optimizer.kind = nn::find_optimizer("rmsprop");
  checks.expect_refused(set_first_of_last_moment, ".moment1.0.weight");
  checks.settings.generator.optimizer.kind = nn::find_optimizer("sgd");
  EXPECT_EQ(checks.complaint(
                [&](coev::CellState& state) { set_first_of_last_moment(state.centre.generator); }),
            "")
      << "a momentum has any sign";
}

TEST(CellChecks, variances_are_not_negative) {
  const Fixture checks;
  const auto layout = nn::parameter_layout(checks.settings.model.generator);
  const auto variance =
      std::ranges::find(layout.statistics, nn::Role::kVariance, &nn::ParameterBlock::role);
  ASSERT_NE(variance, layout.statistics.end());
  const auto complaint = [&](auto buffer) {
    return checks.complaint([&](coev::CellState& state) {
      (state.centre.generator.*buffer).writable()[variance->offset] = -1e-30f;
    });
  };
  EXPECT_THAT(complaint(&coev::Genome::parameters),
              HasSubstr("generator." + variance->name + ": expected finite numbers of at least 0"));
  EXPECT_THAT(complaint(&coev::Genome::average), HasSubstr("generator.average." + variance->name));
}

TEST(CellChecks, a_rate_is_one_that_a_float_holds) {
  const Fixture checks;
  for (const double bad : {-1e-9, std::nan(""), kInfinity, 1e300}) {
    checks.expect_refused([&](coev::Genome& g) { g.learning_rate = bad; }, ".learning_rate");
  }
}

TEST(CellChecks, a_loss_scale_is_one_that_a_run_comes_to) {
  const Fixture checks;
  for (const nn::Buffer<float>& bad : {nn::Buffer<float>{3, 0}, {-8, 0}, {8, 2001}, {8, 0.5F}}) {
    checks.expect_refused([&](coev::Genome& g) { g.loss_scale = bad; }, ".loss_scale");
  }
}

TEST(CellChecks, a_loss_is_one_that_the_run_trains_with) {
  const Fixture checks;
  for (const nn::LossId bad : {3U, static_cast<nn::LossId>(nn::losses().size()), ~0U}) {
    checks.expect_refused([&](coev::Genome& g) { g.loss = bad; }, ".loss_step_origin");
  }
  EXPECT_THAT(
      checks.complaint([](coev::CellState& state) { state.centre.discriminator.loss = 1; }),
      HasSubstr("discriminator.loss_step_origin: expected a loss that this run trains with"));
}

TEST(CellChecks, updates_leave_room_for_more_and_origins_are_cells) {
  const Fixture checks;
  for (const std::uint32_t bad : {(1U << 31) + 1, ~0U}) {
    checks.expect_refused([&](coev::Genome& g) { g.step = bad; }, ".loss_step_origin");
  }
  checks.expect_refused([](coev::Genome& g) { g.origin = {kNCells}; }, ".loss_step_origin");
}

TEST(CellChecks, a_mixture_is_made_of_the_cell_and_others_with_shares_of_one) {
  const Fixture checks;
  const std::vector<coev::Mixture> bad{{{{0}, {1}}, {0.5, 0.5}},  // led by another cell
                                       {{{1}, {0}}, {-0.1, 1.0}},
                                       {{{1}, {0}}, {0.5, 1.1}},
                                       {{{1}, {0}}, {0.5, std::nan("")}},
                                       {{{1}, {0}}, {1, 1}},  // more samples than there are
                                       {{{1}, {0}}, {0, 0}},  // none
                                       {{{1}, {0}}, {0.5, 0.499999}},   // never normalised
                                       {{{1}, {1}}, {0.5, 0.5}},        // twice the same
                                       {{{1}, {kNCells}}, {0.5, 0.5}},  // of another grid
                                       {{}, {}}};
  for (const coev::Mixture& mixture : bad) {
    EXPECT_THAT(checks.complaint([&](coev::CellState& state) { state.mixture = mixture; }),
                AllOf(HasSubstr("expected a mixture"), HasSubstr("found another")));
  }
}

// Whole files, with hashes that fit, of which one number is not one that a run writes.
class CraftedFiles {
 public:
  CraftedFiles() : whole_(decoded(encode_cell(settings_, good_state(settings_), kOrigin))) {}

  // CheckpointError, or what is wrong with a reader that takes it.
  void read_next() {
    std::vector<checkpoint::TensorView> tensors(whole_.tensors().begin(), whole_.tensors().end());
    checkpoint::Metadata metadata = whole_.metadata();
    Bytes content;
    const std::size_t which = drawn(tensors.size() + 1);
    if (which == tensors.size()) {
      const char* const key = drawn(2) == 0 ? "cell" : "generation";
      metadata[key] =
          one_of<std::string>({"-1", "3", "4294967295", "4294967296", "1e3", "nan", ""});
    } else {
      content.assign(tensors[which].data.begin(), tensors[which].data.end());
      spoil(tensors[which].name, content);
      tensors[which].data = content;
    }
    decode_cell(decoded(checkpoint::encode_tensors(tensors, metadata)), "crafted", settings_,
                kNCells, kOrigin);
  }

 private:
  static checkpoint::TensorFile decoded(Bytes bytes) {
    return checkpoint::decode_tensors(std::move(bytes), "crafted");
  }

  std::size_t drawn(std::size_t n) { return random_() % n; }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[drawn(values.size())];
  }

  template <class T>
  static void put(Bytes& content, std::size_t place, T value) {
    std::memcpy(content.data() + place * sizeof value, &value, sizeof value);
  }

  void spoil(const std::string& name, Bytes& content) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    if (name.ends_with("loss_step_origin")) {
      put(content, drawn(3), one_of<std::uint64_t>({~0ULL, 1ULL << 63, 1ULL << 32, 4'000'000'000}));
    } else if (name == "mixture.cells") {
      put(content, 0, one_of<std::uint64_t>({0, 2, kNCells, ~0ULL}));
    } else if (name == "mixture.weights" || name.ends_with("learning_rate")) {
      put(content, drawn(content.size() / 8), one_of<double>({-1, kNaN, kInfinity, 1e300, -1e-9}));
    } else {
      const bool is_signed = name.find("moment2") == std::string::npos && !name.ends_with("_var");
      std::vector<double> bad{kNaN, kInfinity, -kInfinity};
      if (!is_signed) bad.insert(bad.end(), {-1e-30, -1, -3e38});
      put(content, drawn(content.size() / 4), static_cast<float>(one_of(bad)));
    }
  }

  coev::Settings settings_ = settings_of_all_kinds();
  checkpoint::TensorFile whole_;
  std::mt19937_64 random_{18};
};

TEST(CellChecks, five_hundred_crafted_files_are_refused) {
  CraftedFiles files;
  for (int i = 0; i < 500; ++i) EXPECT_THROW(files.read_next(), CheckpointError) << i;
}

}  // namespace
}  // namespace lipizz::worker::cell_checks_test
