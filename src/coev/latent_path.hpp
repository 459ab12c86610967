#pragma once

#include <span>
#include <vector>

namespace lipizz::coev {

/// The point a share `t` of the way from latent `a` to latent `b`, 0 being `a` and 1 `b` to the
/// bit:
///
///   sin((1 - t) w) / sin(w) a + sin(t w) / sin(w) b,  w the angle between the two
///
/// (Shoemake 1985; for latents of networks White 2016). In many dimensions normal latents lie near
/// a sphere, which a straight line leaves for where generators have never been. Where the two (or
/// one and the other's opposite) point the same way to three digits, there is no one great circle,
/// and the straight line is taken. The same bits on every machine.
std::vector<float> on_great_circle(std::span<const float> a, std::span<const float> b, float t);

}  // namespace lipizz::coev
