#pragma once

#include <vector>

#include "coev/genome.hpp"
#include "coev/opponents.hpp"
#include "core/hash.hpp"
#include "core/ids.hpp"
#include "nn/base/shared_buffer.hpp"

namespace lipizz::coev {

/// Parameters [n_padded] of past networks of a cell's centre, the oldest first: opponents that keep
/// a network from forgetting what it has learnt to tell or to make (a history of past fakes,
/// Shrivastava et al. 2017, and historical players, Grnarova et al. 2018). Departure: the first
/// keep images and not the networks that make them.
using History = PerRole<std::vector<nn::SharedBuffer<float>>>;

/// The networks of this role that the settings keep: what the other role's opponents ask for.
HistorySpec history_spec(const Settings& settings, NetworkRole role);

/// How many of them a cell has at the end of a generation.
std::size_t history_size(const HistorySpec& spec, Generation generation);

/// Bytes that a cell's history takes at most.
std::size_t history_bytes(const Settings& settings);

/// Adds the centre at the end of a generation to what is kept, if it is its turn, and lets the
/// oldest go.
void remember(const Settings& settings, const Pair& centre, Generation generation,
              History& history);

/// Adds all parameters; without history, nothing.
void hash(Hasher& hasher, const History& history);

}  // namespace lipizz::coev
