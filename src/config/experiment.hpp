#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lipizz::config {

/// One experiment: everything that a run's result depends on, and how it is run.
///
/// Plain values, grouped by who reads them; the initial ones here are the defaults of a run. Those
/// of the algorithm's own structs (coev/settings.hpp, nn/base/optimizer.hpp) serve tests alone: a
/// run overwrites all of them. The defaults rest on docs/results.md. The meaning, unit and
/// range of each field are declared once, in config/fields.cpp, and printed in
/// docs/configuration.md. Names (of losses, models ...) are checked by setup/validate.hpp.

/// From this generation on, this neighbourhood.
struct NeighbourhoodFrom {
  std::uint32_t generation = 0;
  std::string neighbourhood = "cross5";
  bool operator==(const NeighbourhoodFrom&) const = default;
};

/// The torus, and whom its cells train against.
struct Grid {
  std::uint32_t rows = 2;
  std::uint32_t columns = 2;
  std::vector<NeighbourhoodFrom> neighbourhood{NeighbourhoodFrom{}};
  bool operator==(const Grid&) const = default;
};

/// The files of a dataset of one's own, and what its samples are.
struct OwnData {
  std::string path;
  std::string field;               // of HDF5; empty: its only dataset
  std::string range = "none";      // of pixels that are floats: 0..1, -1..1
  std::uint32_t size = 0;          // of images; 0: as they are
  std::string fit = "crop";        // crop, stretch
  std::uint32_t channels = 0;      // of images; 0: as they are
  std::string condition = "left";  // the given half of a pair: left, right
  double test_share = 0.1;
  // As the files say; found where they are empty.
  std::string shape;  // 28x28x1, or 2 of points
  std::uint32_t classes = 0;
  bool operator==(const OwnData&) const = default;
};

struct Data {
  std::string dataset = "glyphs";
  std::string dir;  // empty: the environment's LIPIZZ_DATA_DIR
  OwnData own{};
  double memory_gb = 8;           // samples that take more are streamed
  std::uint32_t readers = 2;      // threads
  std::uint32_t max_samples = 0;  // 0: all
  double share = 1;               // of them that each cell trains on
  std::uint32_t batch_size = 100;
  std::uint32_t micro_batches = 1;           // that a batch is computed in
  bool sync_batch_norm = false;              // batch norm looks at the batch, not at each part
  std::uint32_t batches_per_generation = 0;  // 0: a pass over the samples
  bool class_conditional = false;
  std::vector<std::string> augmentation{};  // color, translation, cutout; empty: none
  bool operator==(const Data&) const = default;
};

/// A layer as it was written: what each of its fields is told, in the order of the text. Which
/// fields there are, config does not know.
using LayerValue = std::variant<bool, double, std::string, std::vector<double>>;
using Layer = std::vector<std::pair<std::string, LayerValue>>;

/// A network written out, layer by layer.
struct Network {
  std::vector<std::uint32_t> inputs;  // of one sample: {features} or {height, width, channels}
  std::string initialiser = "uniform";
  std::vector<Layer> layers;
  bool operator==(const Network&) const = default;
};

/// The pair of networks, by name or, with no name, written out.
struct Model {
  std::string name = "auto";  // auto: the dataset's
  Network generator{};
  Network discriminator{};
  [[nodiscard]] bool is_written_out() const { return name.empty(); }
  bool operator==(const Model&) const = default;
};

/// An operator of the algorithm as it was written: its name, and those of its parameters that are
/// not left to their defaults. Which operators and parameters there are, config does not know;
/// completed() in config/operators.hpp holds them against a table.
struct Operator {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters{};
  bool operator==(const Operator&) const = default;
};

/// How a learning rate follows the batch.
struct RateScaling {
  std::string rule = "none";  // none, linear, sqrt
  std::uint32_t batch = 64;   // that the rate is meant for
  bool operator==(const RateScaling&) const = default;
};

/// Bounds that gradients and weights are kept within; 0: none.
struct Clip {
  double norm = 0;     // of a gradient, by all parameters
  double value = 0;    // of each number of a gradient
  double weights = 0;  // each of them
  bool operator==(const Clip&) const = default;
};

/// Decay of the first and the second moment; of the latter when the schedule ends, 0: as before.
struct Betas {
  double first = 0.5;
  double second = 0.999;
  double second_end = 0;
  bool operator==(const Betas&) const = default;
};

/// How the values of training steps are kept.
struct MixedPrecision {
  std::string format = "none";  // none, fp16, bf16
  double loss_scale = 0;        // of fp16; 0: dynamic
  bool operator==(const MixedPrecision&) const = default;
};

/// How often a network is trained, and in how many parts of a batch.
struct Steps {
  std::uint32_t per_batch = 1;
  std::uint32_t every = 1;          // n-th batch of the run
  std::uint32_t micro_batches = 0;  // 0: data.micro_batches
  bool operator==(const Steps&) const = default;
};

/// How a network is trained; generator and discriminator have one each.
struct Training {
  std::string optimizer = "adam";
  double learning_rate = 1e-3;
  RateScaling rate_scaling{};
  Operator schedule{"constant"};
  Betas betas{};
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  std::string loss = "bce";
  Steps steps{};
  Clip clip{};
  MixedPrecision mixed_precision{};
  std::uint32_t stages = 0;      // of pipeline.stages; 0: all
  std::uint32_t zero = 1;        // stage of ZeRO
  std::string offload = "none";  // none, host, disk
  Operator opponents{"partner-share"};
  bool operator==(const Training&) const = default;
};

struct Generator : Training {
  double average_decay = 0.998;  // 0: no average is kept
  double l1_weight = 100;        // of paired datasets
  bool operator==(const Generator&) const = default;
};

struct Discriminator : Training {
  std::string penalty = "r1";
  double penalty_weight = 1;
  double penalty_end = 1;  // share
  bool operator==(const Discriminator&) const = default;
};

struct LossMutation {
  Operator mutation{"none"};
  std::vector<std::string> losses;  // to choose from
  std::string per = "generation";   // batch, generation
  bool operator==(const LossMutation&) const = default;
};

struct RateMutation {
  Operator mutation{"none"};
  std::string per = "generation";  // batch, generation
  bool operator==(const RateMutation&) const = default;
};

struct Fitness {
  std::uint32_t n_samples = 1000;
  std::string measure = "loss";  // loss, score
  Operator aggregation{"average"};
  std::string loss = "bce";  // what all are compared under, whatever they train with
  double diversity = 0;      // what a generator's diversity counts beside its loss
  bool operator==(const Fitness&) const = default;
};

/// The algorithm's operators.
struct Operators {
  Fitness fitness;
  Operator selection{"none"};
  Operator recombination{"none"};
  std::uint32_t offspring = 1;  // of a cell in a generation
  Operator replacement{"generational"};
  Operator migration{"auto"};  // auto: what is needed
  Operator mixture{"pattern-search"};
  LossMutation loss_mutation;
  RateMutation rate_mutation;
  bool operator==(const Operators&) const = default;
};

/// The stages that micro-batches pass through, one rank of a cell after the other.
struct Pipeline {
  std::uint32_t stages = 1;       // 1: there is none
  std::string schedule = "1f1b";  // gpipe, 1f1b
  std::string balance = "time";   // time, memory
  bool operator==(const Pipeline&) const = default;
};

/// Engine and devices.
struct Compute {
  std::string engine = "auto";    // auto: the fastest of this build
  std::string numerics = "auto";  // auto: the highest level that every rank offers
  std::string device = "cpu";
  std::string precision = "f32";
  std::string convolution_table;       // a file; empty: the build's own
  std::string convolution_table_hash;  // empty: any
  std::string placement = "auto";      // auto, shares, measured
  std::string balancing = "dynamic";   // dynamic, static
  std::uint32_t threads = 0;           // of a run in one process; 0: as many as cores
  std::uint32_t threads_per_worker = 1;
  std::string layout = "given";      // given, auto: what follows, and zero, are chosen
  std::uint32_t ranks_per_cell = 1;  // a worker and its helpers
  Pipeline pipeline;                 // of these
  bool check_memory = true;          // refuse what is sure not to fit
  std::string offload_folder;        // empty: TMPDIR, or /tmp
  bool operator==(const Compute&) const = default;
};

/// How neighbours' copies come.
struct Exchange {
  std::string mode = "sync";        // sync, async
  std::uint32_t max_staleness = 5;  // of an asynchronous exchange; generations
  bool operator==(const Exchange&) const = default;
};

struct Score {
  std::string metric = "auto";
  std::uint32_t n_samples = 10'000;
  std::uint32_t n_samples_training = 1'000;
  std::uint32_t every = 1;  // generations
  bool operator==(const Score&) const = default;
};

struct Comm {
  double heartbeat_s = 1.0;
  double late_after_s = 5.0;
  double dead_after_s = 15.0;
  bool operator==(const Comm&) const = default;
};

struct Checkpoint {
  std::string every = "60s";  // seconds, generations, or off; see checkpoint_interval()
  bool operator==(const Checkpoint&) const = default;
};

/// When a run ends before its last generation.
struct Stop {
  std::uint32_t patience = 0;  // generations without a better score; 0: never
  bool operator==(const Stop&) const = default;
};

/// Sizes of the pictures, in samples.
struct Samples {
  std::uint32_t rows = 10;
  std::uint32_t columns = 10;
  std::uint32_t cell_rows = 4;  // of each cell in the picture of the whole grid
  std::uint32_t cell_columns = 4;
  bool operator==(const Samples&) const = default;
};

/// The files of a run beside its metrics and its result.
struct Outputs {
  Samples samples;
  Checkpoint checkpoint;
  bool tensorboard = false;  // whether event files are written
  bool operator==(const Outputs&) const = default;
};

struct Experiment {
  std::string name = "lipizz";
  std::uint64_t seed = 1;
  std::uint32_t generations = 20;
  Grid grid;
  Data data;
  Model model;
  Generator generator{Training{.opponents = {"partner"}}};
  Discriminator discriminator;
  Operators operators;
  Exchange exchange;
  Compute compute;
  Score score;
  Outputs outputs;
  Comm comm;
  Stop stop;
  bool operator==(const Experiment&) const = default;
};

/// How `generator` or `discriminator` is trained.
inline const Training& training_of(const Experiment& experiment, std::string_view network) {
  if (network == "generator") return experiment.generator;
  return experiment.discriminator;
}

/// The number of parts that a batch is computed in, and the setting that says so.
struct MicroBatches {
  std::string setting;
  std::uint32_t n = 1;
};
/// Those of the steps that train `generator` or `discriminator`.
inline MicroBatches micro_batches_of(const Experiment& experiment, const std::string& network) {
  const std::uint32_t own = training_of(experiment, network).steps.micro_batches;
  if (own > 0) return {network + ".micro_batches", own};
  return {"data.micro_batches", experiment.data.micro_batches};
}
/// The fewer of the two networks', which a cell's ranks share; both settings where they are alike.
inline MicroBatches fewest_micro_batches(const Experiment& experiment) {
  const MicroBatches of_g = micro_batches_of(experiment, "generator");
  const MicroBatches of_d = micro_batches_of(experiment, "discriminator");
  if (of_g.n != of_d.n || of_g.setting == of_d.setting) return of_g.n < of_d.n ? of_g : of_d;
  return {of_g.setting + " and " + of_d.setting, of_g.n};
}

/// Cores that a worker and its helpers keep busy; those of a worker alone where `layout` "auto" may
/// yet give it helpers.
inline std::uint32_t cores_per_worker(const Experiment& experiment) {
  const Compute& compute = experiment.compute;
  return compute.threads_per_worker * (compute.layout == "auto" ? 1 : compute.ranks_per_cell);
}

/// True where cells go on without waiting for their neighbours.
inline bool is_asynchronous(const Experiment& experiment) {
  return experiment.exchange.mode == "async";
}

/// True where cells move off slow workers. Without waiting nobody is held up, and the bits of a GPU
/// may depend on how many cells it trains.
inline bool is_balanced(const Experiment& experiment) {
  return experiment.compute.balancing == "dynamic" && experiment.compute.device == "cpu" &&
         !is_asynchronous(experiment);
}

}  // namespace lipizz::config
