#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "coev/cell.hpp"
#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// A publication is what a cell gives its neighbours at the end of a generation: its id and the
/// generation, then its generator and discriminator, with what the settings' migration sends
/// (docs/protocol.md has the bytes; Perez et al. 2020 publish to all, we to neighbours alone).
///
/// The title tells whose it is, and of when.
struct PublicationTitle {
  CellId cell;
  Generation generation = 0;

  bool operator==(const PublicationTitle&) const = default;
};

/// `publication 7 of cell 3`
std::string to_string(const PublicationTitle& title);

/// The networks that a cell publishes now, which share their arrays with its own.
Pair published(const Cell& cell, const Settings& settings);
/// The same as bytes.
Bytes write_publication(const Cell& cell, const Settings& settings);
/// How many bytes that is, without the few dozen of titles and counts.
std::size_t publication_bytes(const Settings& settings);

/// Whose publication these bytes are, and of which generation. CommError when they are too short.
PublicationTitle read_title(std::span<const std::byte> publication);
/// CommError when they are another's, or too short.
void expect_title(std::span<const std::byte> publication, const PublicationTitle& expected);
/// Fills a pair with the networks of a publication. CommError, and an unspecified pair, when its
/// networks are of other shapes, a number is not finite (centres always are), or bytes are left.
void read_publication(std::span<const std::byte> publication, const PerRole<GenomeShape>& shapes,
                      Pair& pair);

}  // namespace lipizz::coev
