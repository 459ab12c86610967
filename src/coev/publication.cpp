#include "coev/publication.hpp"

#include "core/error.hpp"

namespace lipizz::coev {
namespace {

PublicationTitle read_title(ByteReader& in) {
  const CellId cell{in.value<std::uint32_t>()};
  return {cell, in.value<Generation>()};
}

void expect_finite(const Pair& pair, const std::string& what) {
  if (is_finite(pair.generator) && is_finite(pair.discriminator)) return;
  throw CommError(what + ": expected finite numbers, found others; it was damaged on its way");
}

}  // namespace

std::string to_string(const PublicationTitle& title) {
  return "publication " + std::to_string(title.generation) + " of cell " +
         std::to_string(title.cell.value);
}

Pair published(const Cell& cell, const Settings& settings) {
  const Moments moments = settings.operators.migration->moments;
  return {travelling(cell.centre.generator, moments),
          travelling(cell.centre.discriminator, moments)};
}

Bytes write_publication(const Cell& cell, const Settings& settings) {
  const Moments moments = settings.operators.migration->moments;
  const auto& [generator, discriminator] = cell.centre;
  ByteWriter out(sizeof cell.id.value + sizeof cell.generation + written_bytes(generator, moments) +
                 written_bytes(discriminator, moments));
  out.value(cell.id.value);
  out.value(cell.generation);
  write(out, generator, moments);
  write(out, discriminator, moments);
  return out.take();
}

std::size_t publication_bytes(const Settings& settings) {
  const PairBytes pair = pair_bytes(settings);
  const bool travel = settings.operators.migration->moments == Moments::kTravel;
  return pair.weights + (travel ? pair.moments : 0);
}

PublicationTitle read_title(std::span<const std::byte> publication) {
  ByteReader in(publication, "a publication");
  return read_title(in);
}

void expect_title(std::span<const std::byte> publication, const PublicationTitle& expected) {
  const PublicationTitle found = read_title(publication);
  if (found == expected) return;
  throw CommError("expected " + to_string(expected) + ", found " + to_string(found));
}

void read_publication(std::span<const std::byte> publication, const PerRole<GenomeShape>& shapes,
                      Pair& pair) {
  const std::string what = to_string(read_title(publication));
  ByteReader in(publication, what);
  read_title(in);
  read(in, shapes.generator, pair.generator, what);
  read(in, shapes.discriminator, pair.discriminator, what);
  in.expect_end();
  expect_finite(pair, what);
}

}  // namespace lipizz::coev
