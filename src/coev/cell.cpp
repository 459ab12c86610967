#include "coev/cell.hpp"

namespace lipizz::coev {
namespace {

Genome make_genome(const nn::NetworkSpec& network, const NetworkSettings& training,
                   const GenomeShape& shape, Random random, CellId cell) {
  Genome genome = shape.make();
  nn::initialise(network, random, genome.parameters.writable());
  if (shape.n_average > 0) genome.average = genome.parameters;
  genome.learning_rate = training.learning_rate;
  genome.loss = training.loss;
  genome.origin = cell;
  return genome;
}

}  // namespace

Cell make_cell(const Settings& settings, CellId id) {
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  const CellId start = settings.operators.recombination->mixes ? CellId{0} : id;
  Cell cell;
  cell.id = id;
  cell.centre.generator =
      make_genome(settings.model.generator, settings.generator, shapes.generator,
                  Random(settings.seed, Purpose::kGeneratorInit, start), id);
  cell.centre.discriminator =
      make_genome(settings.model.discriminator, settings.discriminator, shapes.discriminator,
                  Random(settings.seed, Purpose::kDiscriminatorInit, start), id);
  cell.mixture = equal_mixture({&id, 1});
  return cell;
}

void begin_report(Cell& cell, Generation generation) {
  cell.report = {};
  cell.report.cell = cell.id;
  cell.report.generation = generation;
  cell.times = {};
}

CellReport finished_report(const Cell& cell) {
  CellReport report = cell.report;
  for (std::size_t i = 0; i < cell.mixture.cells.size(); ++i) {
    report.mixture.push_back({cell.mixture.cells[i], cell.mixture.weights[i]});
  }
  for (std::size_t i = 0; i < kRoutineNames.size(); ++i) {
    report.profile.push_back(
        {std::string(kRoutineNames[i]), cell.times.seconds(static_cast<Routine>(i))});
  }
  return report;
}

}  // namespace lipizz::coev
