#include "config/fields.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/synonyms.hpp"
#include "core/text.hpp"

namespace lipizz::config {
namespace {

// The largest whole number that every reader of JSON keeps exactly.
constexpr double kLargestExact = 9007199254740991;
constexpr double kMaxCount = 1e6;
constexpr double kMaxSamples = 1e7;
// Decays must stay below 1, or the averages never move.
constexpr double kMaxDecay = 0.999999;

struct Range {
  double lowest;
  double highest;
  std::string_view unit = {};
};

Field number(std::string path, Value value, Range range, std::string_view summary) {
  return {.path = std::move(path),
          .value = value,
          .summary = summary,
          .lowest = range.lowest,
          .highest = range.highest,
          .unit = range.unit,
          .names = {},
          .kind = {}};
}

Field text(std::string path, Value value, std::string_view summary) {
  return {.path = std::move(path),
          .value = value,
          .summary = summary,
          .unit = {},
          .names = {},
          .kind = {}};
}

Field name(std::string path, Value value, std::vector<std::string> names, std::string_view summary,
           std::string_view kind = {}) {
  return {.path = std::move(path),
          .value = value,
          .summary = summary,
          .unit = {},
          .names = std::move(names),
          .kind = kind};
}

// No number in a cell depends on it.
Field may_change(Field field) {
  field.may_change = true;
  return field;
}

void add_training(std::vector<Field>& all, const std::string& who, Training& training) {
  std::vector<Field> added{
      name(who + ".optimizer", &training.optimizer, {}, "How weights are updated.", "optimizers"),
      number(who + ".learning_rate", &training.learning_rate, {0, 10},
             "The learning rate at the start, before `rate_scaling`; mutation changes it."),
      name(who + ".rate_scaling", &training.rate_scaling.rule, {"none", "linear", "sqrt"},
           "How the learning rate follows the batch: times `data.batch_size` / `rate_batch` "
           "(linear; Goyal et al. 2017) or its square root (Krizhevsky 2014). A schedule's "
           "`warm_up` goes well with either."),
      number(who + ".rate_batch", &training.rate_scaling.batch, {1, 65536, "samples"},
             "The batch that `learning_rate` is meant for, where it follows the batch."),
      name(who + ".schedule", &training.schedule, {},
           "How its training changes with time: the learning rate and, where they have another "
           "value at its end, `beta2` and the penalty's weight.",
           "training-schedules"),
      number(who + ".beta1", &training.betas.first, {0, kMaxDecay},
             "Decay of the first moment; SGD and LARS: momentum; not of RMSProp."),
      number(who + ".beta2", &training.betas.second, {0, kMaxDecay},
             "Decay of the second moment; not of SGD and LARS."),
      number(who + ".beta2_end", &training.betas.second_end, {0, kMaxDecay},
             "`beta2` when the schedule ends (R3GAN: from 0.9 to 0.99); 0: it stays as it is."),
      number(
          who + ".epsilon", &training.epsilon, {1e-16, 1},
          "Added to the denominator; not of SGD and LARS. AdaBelief adds it to its second moment "
          "as well, with each update: 1e-16 there, or 1e-12."),
      number(who + ".weight_decay", &training.weight_decay, {0, 10},
             "AdamW, LAMB and LARS: what each weight loses with an update, of itself, times the "
             "learning rate; of the latter two, their rate of its tensor."),
      number(who + ".clip_norm", &training.clip.norm, {0, 1e6},
             "Before each update its gradient, by all of its parameters together, is brought to "
             "this length where it is longer (gradient clipping; Pascanu et al. 2013), and the "
             "update is left out where it is not finite; 0: neither."),
      number(who + ".clip_value", &training.clip.value, {0, 1e6},
             "Each number of its gradient, after `clip_norm`, is brought back to +-clip_value, and "
             "the update is left out as there; 0: neither."),
      number(who + ".weight_clip", &training.clip.weights, {0, 1000},
             "After each update its weights are brought back to +-weight_clip (WGAN: 0.01); 0: "
             "never."),
      name(who + ".loss", &training.loss, {}, "What it minimises.", "losses"),
      number(who + ".steps_per_batch", &training.steps.per_batch, {1, 1000, "steps"},
             "Updates made with each batch that it is trained on, each against an opponent of its "
             "own."),
      number(who + ".train_every", &training.steps.every, {1, kMaxCount, "batches"},
             "It is trained on every n-th batch of the run, from the first."),
      number(who + ".micro_batches", &training.steps.micro_batches, {0, 256},
             "How many parts a batch is computed in when it is trained; 0: `data.micro_batches`."),
      name(who + ".mixed_precision", &training.mixed_precision.format, {"none", "fp16", "bf16"},
           "Its training steps keep values in 16 bits, which saves memory; weights, moments, sums "
           "and statistics stay in single precision (docs/parallel.md). `precision` says how a "
           "device multiplies."),
      number(who + ".loss_scale", &training.mixed_precision.loss_scale, {0, 16777216},
             "`fp16`: losses are multiplied by this power of two, so that small derivatives are "
             "not lost; 0: dynamic, from 65536 on, halved where a gradient is not finite, whose "
             "update is left out, and doubled after 2000 others."),
      may_change(number(who + ".stages", &training.stages, {0, 256, "stages"},
                        "Into how many of `pipeline.stages` it is cut at most: the generator into "
                        "the first ones, the discriminator into the last ones; 0: into all of "
                        "them. Changes no result.")),
      may_change(number(who + ".zero", &training.zero, {0, 3},
                        "With `ranks_per_cell`: what these ranks, in a pipeline those of the same "
                        "stage, share out "
                        "of it (the stage of ZeRO; Rajbhandari et al. 2020): 0 nothing, 1 moments "
                        "and updates, 2 sums of gradients as "
                        "well, 3 parameters, too (docs/parallel.md). Changes no result.")),
      may_change(name(who + ".offload", &training.offload, {"none", "host", "disk"},
                      "Where the moments of its optimizer are while it is trained: with `none` "
                      "where it is trained; with `host` in the host's memory, whatever a GPU has; "
                      "with `disk` in files of `offload_folder` without a name, which need not "
                      "stay in memory (docs/parallel.md). Changes no result.")),
      name(who + ".opponents", &training.opponents, {}, "Whom it is trained against in each step.",
           "opponents"),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_run(std::vector<Field>& all, Experiment& e) {
  std::vector<Field> added{
      may_change(
          text("name", &e.name, "Names the run's folder: letters, digits, `.`, `_` and `-`.")),
      number("seed", &e.seed, {0, kLargestExact},
             "All random numbers follow from it, but for those of the judge and of built-in "
             "datasets."),
      may_change(number("generations", &e.generations, {1, kMaxCount, "generations"},
                        "How long to train; one generation is one pass over the data, unless "
                        "`data.batches_per_generation` says otherwise.")),
      name("neighbourhood", &e.grid.neighbourhood, {},
           "Whom a cell trains against; or a list such as `[{\"from\": 0, \"neighbourhood\": "
           "\"cross5\"}, {\"from\": 20, \"neighbourhood\": \"moore9\"}]`, by generation.",
           "neighbourhoods"),
      name("model", &e.model, {"auto"},
           "The pair of networks; `auto`: the one of the dataset. Or an object that writes both "
           "out, "
           "layer by layer (docs/extending.md).",
           "models"),
      text("class_conditional", &e.data.class_conditional,
           "Whether the networks are told the classes of their samples, where model and dataset "
           "know of any."),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_machine(std::vector<Field>& all, Experiment& e) {
  std::vector<Field> added{
      name("engine", &e.compute.engine, {"auto"},
           "What computes; `auto`: the fastest that this build has.", "engines"),
      name("numerics", &e.compute.numerics,
           {"auto", "baseline", "avx2", "avx512", "avx512_bf16", "amx"},
           "The instruction set that results depend on; `auto`: the highest level that every rank "
           "offers, of the last two where processors compute in `bf16`."),
      // Free, because a file may move: its hash, which a run writes down, is not.
      may_change(text(
          "convolution_table", &e.compute.convolution_table,
          "A file that `lipizz tune` has written: by which of several algorithms, of different "
          "bits, each convolution is computed; empty: the table of this build.")),
      text("convolution_table_hash", &e.compute.convolution_table_hash,
           "The hash that the table must have, so that another one is refused; a run writes its "
           "own into `config.json`; empty: any."),
      name("device", &e.compute.device, {"auto"},
           "What networks are computed with; `auto`: GPUs where every worker's node has one, else "
           "the processor.",
           "devices"),
      name("precision", &e.compute.precision, {"f32", "tf32", "bf16"},
           "How exactly products are computed: strictly in single precision, or with factors of "
           "fewer bits and, on a GPU, cuDNN's convolutions; a processor knows `f32` and, with AMX "
           "or AVX-512's instructions for it, `bf16` for products of matrices and, with the "
           "second, most convolutions that are made of them."),
      name(
          "exchange", &e.exchange.mode, {"sync", "async"},
          "`sync`: a cell waits for what its neighbours made in the generation before, and results "
          "are repeatable; `async`: it goes on with the newest copy that it has of each, and waits "
          "for nobody."),
      number("max_staleness", &e.exchange.max_staleness, {1, kMaxCount, "generations"},
             "`async`: a neighbour whose newest copy is more generations behind is left out until "
             "a newer one comes."),
      may_change(
          name("placement", &e.compute.placement, {"auto", "shares", "measured"},
               "Which worker hosts how many cells: by its share of its node's cores and memory, or "
               "by how quickly it trains, which is measured at the start; `auto`: `measured` where "
               "some workers have GPUs and others do not.")),
      may_change(name("load_balancing", &e.compute.balancing, {"dynamic", "static"},
                      "`dynamic`: cells move off workers that turn out to be slower than others "
                      "while training goes on, where that gains more time than it costs (on "
                      "processors, with `exchange` `sync`); `static`: they stay.")),
      may_change(
          number("threads", &e.compute.threads, {0, 4096, "threads"},
                 "Workers of a run in one process, with `layout` `auto` helpers among them; 0: as "
                 "many as there are cores for them, or GPUs.")),
      may_change(number("threads_per_worker", &e.compute.threads_per_worker, {1, 256, "threads"},
                        "Threads of each worker, which compute micro-batches at the same time: a "
                        "cell on several cores. Each part has a buffer of gradients then. "
                        "With `device` `cpu`.")),
      may_change(name("layout", &e.compute.layout, {"given", "auto"},
                      "How ranks share the training of a cell out: `given`: as `ranks_per_cell`, "
                      "`pipeline.stages`, `generator.zero` and `discriminator.zero` say; `auto`: "
                      "these are chosen at each start, by the ranks and the memory that there are, "
                      "whatever a file says of them (docs/parallel.md).")),
      may_change(number("ranks_per_cell", &e.compute.ranks_per_cell, {1, 256, "ranks"},
                        "Processes (in one process, threads) that train a worker's cells together, "
                        "each some of the micro-batches (data parallelism), or a stage of "
                        "`pipeline.stages` (docs/parallel.md): `-np` is 1 + workers times this. "
                        "All of them on processors, or on GPUs.")),
      may_change(number("pipeline.stages", &e.compute.pipeline.stages, {1, 256, "stages"},
                        "Of `ranks_per_cell`, how many share the layers of both networks out among "
                        "them, so that each holds a part of what is trained; micro-batches pass "
                        "from one to the next (pipeline parallelism, docs/parallel.md). With "
                        "`threads_per_worker` 1.")),
      may_change(name("pipeline.schedule", &e.compute.pipeline.schedule, {"1f1b", "gpipe"},
                      "The order of micro-batches at a stage: `1f1b` lets in as many as keep all "
                      "stages busy, then one for each that has gone back, and holds the values of "
                      "no more; `gpipe` takes all forwards first.")),
      may_change(
          name("pipeline.balance", &e.compute.pipeline.balance, {"time", "memory"},
               "What stages have alike: the time of their operations, or their parameters.")),
      may_change(
          text("offload_folder", &e.compute.offload_folder,
               "A folder on a disk of each host, for `generator.offload` and "
               "`discriminator.offload` `disk`; empty: what TMPDIR names, or `/tmp`. One in memory "
               "(tmpfs) is refused.")),
      may_change(
          text("check_memory", &e.compute.check_memory,
               "Whether a run is refused whose estimate of memory (`--dry-run`) is above what "
               "a host or a process can still get.")),
      may_change(
          text("tensorboard", &e.outputs.tensorboard,
               "Whether TensorBoard's event files are written into the run's `tensorboard/`: "
               "scalars, pictures and histograms of weights (docs/formats.md).")),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_grid_and_data(std::vector<Field>& all, Experiment& e) {
  std::vector<Field> added{
      number("grid.rows", &e.grid.rows, {1, 4096, "cells"}, "Rows of the grid, a torus."),
      number("grid.columns", &e.grid.columns, {1, 4096, "cells"}, "Columns of the grid."),
      name("data.dataset", &e.data.dataset, {}, "What is learnt.", "datasets"),
      may_change(
          text("data.dir", &e.data.dir,
               "Where the files of datasets lie that are not built in; empty: the environment's "
               "LIPIZZ_DATA_DIR.")),
      number("data.max_samples", &e.data.max_samples, {0, 4294967295, "samples"},
             "Trains on the first so many samples (of one's own files once they are shuffled); 0: "
             "all."),
      number("data.share", &e.data.share, {0.000001, 1},
             "The share of the samples that each cell trains on, drawn for each by itself (data "
             "dieting)."),
      number("data.batch_size", &e.data.batch_size, {1, 65536, "samples"},
             "Samples of one training step."),
      number(
          "data.micro_batches", &e.data.micro_batches, {1, 256},
          "How many parts a batch is computed in, their gradients added up (gradient "
          "accumulation): the same step in less memory, or on more threads. Batch norm, unless "
          "synchronised, the penalty `dragan`, and any penalty beside batch norm look at a part at "
          "a time."),
      text("data.sync_batch_norm", &e.data.sync_batch_norm,
           "Batch norm looks at the whole batch, not at each micro-batch (synchronised "
           "batch norm); with `threads_per_worker` 1, and in no less memory than with one "
           "micro-batch."),
      number("data.batches_per_generation", &e.data.batches_per_generation, {0, 65535, "batches"},
             "How long a generation is: passes over the data go on from one to the next; 0: one "
             "whole pass."),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_own_data(std::vector<Field>& all, Experiment& e) {
  OwnData& own = e.data.own;
  std::vector<Field> added{
      may_change(text("data.path", &own.path,
                      "A dataset of your own: its folder, or its file (docs/datasets.md).")),
      text("data.field", &own.field,
           "`hdf5`: the name of the dataset in the file; empty: the only one that there is."),
      name("data.range", &own.range, {"none", "0..1", "-1..1"},
           "`npy`, `hdf5`: what black and white are where pixels are floats; `none`: they are "
           "bytes, or "
           "points."),
      number("data.size", &own.size, {0, 4096, "pixels"},
             "Images of your own are brought to this height and width; 0: they stay as they are, "
             "and are all of one size."),
      name("data.fit", &own.fit, {"crop", "stretch"},
           "How images are brought to `data.size`: scaled and cut at two sides, or stretched."),
      number("data.channels", &own.channels, {0, 3, "channels"},
             "Images of your own become grey (1) or coloured (3); 0: coloured where any is."),
      name("data.condition", &own.condition, {"left", "right"},
           "`pairs`: the half of a picture that a generator is given to make the other."),
      number("data.test_share", &own.test_share, {0.000001, 0.9},
             "The share of your own samples that are kept for tests, where files do not tell."),
      text("data.shape", &own.shape,
           "What samples of your own are: `64x64x3` (height, width, channels) or, of points, `2`; "
           "empty: as the files say, which a run writes into its `config.json`."),
      number("data.classes", &own.classes, {0, 65536, "classes"},
             "How many classes your own samples are of; read with `data.shape`."),
      may_change(number("data.memory_gb", &e.data.memory_gb, {0, 1e6, "GB"},
                        "Samples that take more memory are not kept in it, but read from their "
                        "files as training needs them.")),
      may_change(number("data.readers", &e.data.readers, {1, 256, "threads"},
                        "Threads of a process that read files of samples.")),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_algorithm(std::vector<Field>& all, Experiment& e) {
  add_training(all, "generator", e.generator);
  add_training(all, "discriminator", e.discriminator);
  std::vector<Field> added{
      number("generator.average_decay", &e.generator.average_decay, {0, kMaxDecay},
             "Samples are made with a moving average of the weights, of this decay (BigGAN: "
             "0.9999), at first less; 0: with the weights themselves."),
      number("generator.l1_weight", &e.generator.l1_weight, {0, 1e6},
             "Paired datasets: the weight of the mean distance of what is generated from what "
             "belongs to its condition (pix2pix: 100)."),
      name("discriminator.penalty", &e.discriminator.penalty, {"none"},
           "A penalty on the length of its derivative by the samples, without which it learns them "
           "by heart.",
           "penalties"),
      number("discriminator.penalty_weight", &e.discriminator.penalty_weight, {0, 1e6},
             "The weight of that penalty (WGAN-GP: 10)."),
      number("discriminator.penalty_end", &e.discriminator.penalty_end, {0, 1},
             "The share of that weight that is left when the discriminator's schedule ends (R3GAN: "
             "0.1)."),
      name("augmentation", &e.data.augmentation, {"color", "translation", "cutout"},
           "What is done to all images that a discriminator sees in training (DiffAugment); empty: "
           "nothing."),
      name("loss_mutation", &e.operators.loss_mutation.mutation, {},
           "What an offspring generator trains with; `none`: it keeps `generator.loss`.",
           "loss-mutations"),
      name("loss_mutation.losses", &e.operators.loss_mutation.losses, {},
           "The losses to choose from.", "losses"),
      name("loss_mutation.per", &e.operators.loss_mutation.per, {"batch", "generation"},
           "Before each batch that trains the generator, or once in each generation."),
      name("rate_mutation", &e.operators.rate_mutation.mutation, {}, "How learning rates change.",
           "rate-mutations"),
      name("rate_mutation.per", &e.operators.rate_mutation.per, {"batch", "generation"},
           "Before each batch that trains the network, or once in each generation."),
      number("fitness.n_samples", &e.operators.fitness.n_samples, {1, kMaxSamples, "samples"},
             "Real and generated samples that individuals are compared on."),
      name("fitness.measure", &e.operators.fitness.measure, {"loss", "score"},
           "What they are compared by: their losses against the neighbourhood, or the score of a "
           "pair's samples (`score.metric`) against the dataset's test samples."),
      name("fitness.aggregation", &e.operators.fitness.aggregation, {},
           "How an individual's losses against all opponents become one number.",
           "fitness-aggregations"),
      name("fitness.loss", &e.operators.fitness.loss, {},
           "The loss that individuals are compared under, whatever they train with.", "losses"),
      number(
          "fitness.diversity", &e.operators.fitness.diversity, {0, 1e6},
          "Beside its loss a generator's fitness has the mean distance between its samples, this "
          "many times (quality and diversity); 0: the loss alone."),
      name("selection", &e.operators.selection, {},
           "Which member of the sub-population is trained.", "selections"),
      name("recombination", &e.operators.recombination, {},
           "What that member is mixed with before it trains; with anything but `none` all cells "
           "start from equal networks.",
           "recombinations"),
      number("offspring", &e.operators.offspring, {1, 64},
             "Offspring of a cell that are trained in a generation, one after the other; the one "
             "with the fittest generator goes on."),
      name("replacement", &e.operators.replacement, {},
           "Whether what was trained replaces the centre.", "replacements"),
      name("migration", &e.operators.migration, {"auto"},
           "What of a centre travels to its neighbours; `auto`: `genomes` where selection may copy "
           "a neighbour, or recombination mixes them, else `parameters`.",
           "migrations"),
      name("mixture", &e.operators.mixture, {}, "How the weights of the mixture are found.",
           "mixture-weightings"),
  };
  std::ranges::move(added, std::back_inserter(all));
}

void add_watching(std::vector<Field>& all, Experiment& e) {
  std::vector<Field> added{
      name("score.metric", &e.score.metric, {"auto"},
           "What mixtures are judged by, lower is better; `auto`: the one of the dataset.",
           "metrics"),
      number("score.n_samples", &e.score.n_samples, {2, kMaxSamples, "samples"},
             "Samples of the final score."),
      number("score.n_samples_training", &e.score.n_samples_training, {2, kMaxSamples, "samples"},
             "Samples of the scores while training."),
      number("score.every", &e.score.every, {1, kMaxCount, "generations"},
             "How often mixtures are scored and their weights found."),
      may_change(number("samples.rows", &e.outputs.samples.rows, {1, 100, "samples"},
                        "Rows of the picture of the best mixture.")),
      may_change(number("samples.columns", &e.outputs.samples.columns, {1, 100, "samples"},
                        "Columns of the picture of the best mixture.")),
      may_change(number("samples.cell_rows", &e.outputs.samples.cell_rows, {1, 100, "samples"},
                        "Rows that each cell has in the picture of the grid.")),
      may_change(number("samples.cell_columns", &e.outputs.samples.cell_columns,
                        {1, 100, "samples"},
                        "Columns that each cell has in the picture of the grid.")),
      may_change(number("comm.heartbeat_s", &e.comm.heartbeat_s, {0.01, 3600, "s"},
                        "Time between two questions of the master to every worker.")),
      may_change(number("comm.late_after_s", &e.comm.late_after_s, {0.02, 86400, "s"},
                        "A worker that has been silent for so long is reported.")),
      may_change(number(
          "comm.dead_after_s", &e.comm.dead_after_s, {0.03, 86400, "s"},
          "A worker that has been silent for so long is given up; one that was silent and "
          "answered again, after three times as long, at most four times this. Under `mpirun "
          "--enable-recovery` its cells move to the other workers; elsewhere, and when no "
          "worker is left, the run ends. A worker to which no ping of the master has come "
          "for twice as long leaves.")),
      may_change(text(
          "checkpoint.every", &e.outputs.checkpoint.every,
          "How often all cells are saved: `5` (generations), `off`, or `60s`: at least every 60 "
          "seconds, and at the end of every generation that takes longer than a save; always at "
          "the end.")),
      may_change(number("stop.patience", &e.stop.patience, {0, kMaxCount, "generations"},
                        "Ends the run when so many generations have brought no better score; `0`: "
                        "never.")),
  };
  std::ranges::move(added, std::back_inserter(all));
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

std::vector<std::string> settings_and_sections(const std::vector<Field>& known) {
  std::vector<std::string> paths;
  for (const Field& field : known) {
    paths.push_back(field.path);
    const std::string section = field.path.substr(0, field.path.rfind('.'));
    if (section != field.path && std::ranges::find(paths, section) == paths.end()) {
      paths.push_back(section);
    }
  }
  return paths;
}

}  // namespace

std::vector<Field> fields(Experiment& experiment) {
  std::vector<Field> all;
  add_run(all, experiment);
  add_machine(all, experiment);
  add_grid_and_data(all, experiment);
  add_own_data(all, experiment);
  add_algorithm(all, experiment);
  add_watching(all, experiment);
  return all;
}

std::string expected(const Field& field) {
  const std::string range =
      " from " + number_text(field.lowest) + " to " + number_text(field.highest);
  if (std::holds_alternative<bool*>(field.value)) return "true or false";
  if (std::holds_alternative<double*>(field.value)) return "a number" + range;
  if (std::holds_alternative<std::uint32_t*>(field.value)) return "a whole number" + range;
  if (std::holds_alternative<std::uint64_t*>(field.value)) return "a whole number" + range;
  if (std::holds_alternative<std::vector<std::string>*>(field.value)) return "a list of names";
  if (std::holds_alternative<std::vector<NeighbourhoodFrom>*>(field.value)) {
    return "a name or a list of {\"from\": generation, \"neighbourhood\": name}";
  }
  if (std::holds_alternative<Model*>(field.value)) {
    return "a name or {\"generator\": network, \"discriminator\": network}";
  }
  if (std::holds_alternative<Operator*>(field.value)) {
    return "a name or {\"kind\": name, parameter: number ...}";
  }
  return field.names.empty() && field.kind.empty() ? "a text" : "a name";
}

void fail_unknown(std::string_view where, std::string_view path, const std::vector<Field>& known) {
  // A key in the wrong section is nearer than another key in the right one.
  const std::string meant = our_word_for(last_part(path));
  const bool has_section = meant != path && last_part(path) != path;
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> near;
  for (const std::string& candidate : settings_and_sections(known)) {
    auto distance = slip_distance(meant, last_part(candidate));
    if (!distance && !has_section) distance = slip_distance(path, candidate);
    if (distance) near.emplace_back(*distance, edit_distance(path, candidate), candidate);
  }
  const auto nearest = std::ranges::min_element(near);
  throw ConfigError(std::string(where) + ": there is no setting \"" + shortened(path) + "\"" +
                    (nearest == near.end() ? "; `lipizz list settings` has all"
                                           : did_you_mean(std::get<std::string>(*nearest))));
}

}  // namespace lipizz::config
