#include "data/glyphs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/math.hpp"
#include "core/random.hpp"
#include "data/glyph_styles.hpp"
#include "data/strokes.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint64_t kSeed = 0x676c79706873;  // "glyphs"
constexpr std::uint32_t kNTrain = 60'000;
constexpr std::uint32_t kNTest = 10'000;
constexpr std::uint32_t kNPixels = kGlyphExtent * kGlyphExtent;

/// The random numbers of one glyph, one after the other.
class Dice {
 public:
  explicit Dice(std::uint32_t index)
      : random_(kSeed, Purpose::kDataset), index_(index), block_(random_.block(index, 0)) {}

  std::uint32_t below(std::uint32_t n) { return random_.below(n, index_, ++position_); }

  float between(float low, float high) {
    if (n_used_ == block_.size()) {
      block_ = random_.block(index_, ++position_);
      n_used_ = 0;
    }
    const float u = static_cast<float>(block_[n_used_++] >> 8) * 0x1p-24f;
    return low + (high - low) * u;
  }

  /// Mostly near the middle of the range (triangular).
  float around(float low, float high) { return 0.5f * (between(low, high) + between(low, high)); }

  /// A shift that belongs to a place, so that strokes that meet there still do.
  [[nodiscard]] Point shift_at(PathPoint place) const {
    constexpr std::uint32_t kFirstPlace = 1U << 16;
    const auto x = static_cast<std::uint32_t>(place.x);
    const auto y = static_cast<std::uint32_t>(place.y);
    const Random::Block words = random_.block(index_, kFirstPlace + 128 * y + x);
    const auto centred = [](std::uint32_t a, std::uint32_t b) {
      return (static_cast<float>(a >> 8) + static_cast<float>(b >> 8)) * 0x1p-24f - 1.0f;
    };
    return {centred(words[0], words[1]), centred(words[2], words[3])};
  }

 private:
  Random random_;
  std::uint32_t index_;
  Random::Block block_;
  std::uint32_t position_ = 0;
  std::size_t n_used_ = 0;
};

/// A slow wave over the paper that bends whatever is written on it.
struct Wave {
  explicit Wave(Dice& dice)
      : per_x(dice.between(0.002f, 0.012f)),
        per_y(dice.between(0.002f, 0.010f)),
        phase(dice.between(0.0f, 1.0f)),
        along_x(dice.around(-10.0f, 10.0f)),
        along_y(dice.around(-10.0f, 10.0f)) {}

  [[nodiscard]] Point at(Point p) const {
    const float turns = (per_x * (p.x + 100.0f) + per_y * (p.y + 100.0f)) + phase;
    const float sine = math::sincos_turns(turns - static_cast<float>(static_cast<int>(turns))).sin;
    return {along_x * sine, along_y * sine};
  }

  float per_x, per_y, phase, along_x, along_y;
};

/// How somebody writes one digit: everything but its size and place.
struct Hand {
  explicit Hand(Dice& dice)
      : wobble(dice.between(2.0f, 11.0f)),
        waves{Wave(dice), Wave(dice)},
        aspect(dice.around(0.65f, 1.55f)),
        slant(dice.around(-0.35f, 0.75f)),
        tilt(dice.around(-0.3f, 0.3f)) {}

  [[nodiscard]] Point place(PathPoint path_point, const Dice& dice) const {
    const Point shift = dice.shift_at(path_point);
    Point p{static_cast<float>(path_point.x) + wobble * shift.x,
            static_cast<float>(path_point.y) + wobble * shift.y};
    for (const Wave& wave : waves) {
      const Point bend = wave.at(p);
      p = {p.x + bend.x, p.y + bend.y};
    }
    const float x = aspect * p.x - slant * p.y;
    return {x - tilt * p.y, p.y + tilt * x};
  }

  float wobble;
  std::array<Wave, 2> waves;
  float aspect;
  float slant;
  float tilt;  // tangent of the angle; the growth that comes with it vanishes in fit()
};

std::vector<Segment> write(PenPath path, const Hand& hand, const Dice& dice) {
  std::vector<Segment> segments;
  std::vector<Point> curve;
  const auto finish_curve = [&] {
    if (curve.size() > 1) append_curve(curve, segments);
    curve.clear();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_corner = i > 0 && path[i] == path[i - 1];
    if (is_corner || path[i] == kPenUp) finish_curve();
    if (path[i] != kPenUp) curve.push_back(hand.place(path[i], dice));
  }
  finish_curve();
  return segments;
}

/// Scales the longer side to `size` pixels and puts the middle of the ink to `centre`.
void fit(std::span<Segment> segments, float size, Point centre) {
  Point low = segments[0].from;
  Point high = low;
  Point sum{0.0f, 0.0f};
  for (const Segment& segment : segments) {
    const Point p = segment.to;
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    sum = {sum.x + p.x, sum.y + p.y};
  }
  const float scale = size / std::max(high.x - low.x, high.y - low.y);
  const auto n = static_cast<float>(segments.size());
  // Half way between the middle of the box and that of the ink, as MNIST's digits lie.
  const Point middle{0.25f * (low.x + high.x) + 0.5f * sum.x / n,
                     0.25f * (low.y + high.y) + 0.5f * sum.y / n};
  const auto moved = [&](Point p) -> Point {
    return {(p.x - middle.x) * scale + centre.x, (p.y - middle.y) * scale + centre.y};
  };
  for (Segment& segment : segments) {
    segment.from = moved(segment.from);
    segment.to = moved(segment.to);
  }
}

/// A pen that is broader along one diagonal than along the other.
void choose_pen(std::span<Segment> segments, float radius, float nib) {
  for (Segment& segment : segments) {
    const float dx = segment.to.x - segment.from.x;
    const float dy = segment.to.y - segment.from.y;
    const float square = dx * dx + dy * dy;
    segment.radius = radius * (1.0f + (square > 0.0f ? nib * dx * dy / square : 0.0f));
  }
}

}  // namespace

std::uint8_t draw_glyph(std::uint32_t index, std::span<std::uint8_t> pixels) {
  LIPIZZ_ASSERT(pixels.size() == kNPixels);
  Dice dice(index);
  const std::uint32_t digit = dice.below(10);
  const std::span<const PenPath> styles = glyph_styles(digit);
  const PenPath path = styles[dice.below(static_cast<std::uint32_t>(styles.size()))];
  const Hand hand(dice);
  std::vector<Segment> segments = write(path, hand, dice);
  const float radius = dice.around(0.6f, 1.9f);
  const float size = dice.around(17.0f, 20.5f) - 2.0f * radius;
  constexpr float kMiddle = 0.5f * (kGlyphExtent - 1);
  fit(segments, size, {kMiddle + dice.around(-1.2f, 1.2f), kMiddle + dice.around(-1.0f, 1.0f)});
  choose_pen(segments, radius, dice.between(-0.4f, 0.4f));

  std::array<float, kNPixels> canvas;
  draw_segments(segments, dice.between(1.0f, 1.8f), kGlyphExtent, canvas);
  for (std::size_t i = 0; i < kNPixels; ++i) {
    pixels[i] = static_cast<std::uint8_t>(canvas[i] * 255.0f + 0.5f);
  }
  return static_cast<std::uint8_t>(digit);
}

DatasetSource find_glyphs(const OpenOptions&) {
  Description about;
  about.name = "glyphs";
  about.kind = SampleKind::kImage;
  about.shape = {.height = kGlyphExtent, .width = kGlyphExtent, .channels = 1};
  about.n_train = kNTrain;
  about.n_test = kNTest;
  about.n_classes = 10;
  return {std::move(about), [](const Content& content) {
            for (std::uint32_t i = 0; i < kNTrain + kNTest; ++i) {
              const std::span<std::uint8_t> pixels =
                  content.pixels.subspan(std::size_t{i} * kNPixels, kNPixels);
              content.labels[i] = draw_glyph(i, pixels);
            }
          }};
}

}  // namespace lipizz::data
