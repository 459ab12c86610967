#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::report {

/// A terminal by what it can show, and how much of it.
struct TerminalStyle {
  enum class Colours { kNone, k256, kTrue };

  std::uint32_t columns = 80;
  std::uint32_t rows = 24;
  Colours colours = Colours::kNone;
  bool has_unicode = false;  // beyond ASCII
  [[nodiscard]] bool has_colours() const { return colours != Colours::kNone; }
  bool operator==(const TerminalStyle&) const = default;
};

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t of_256 = 0;  // its number where there are 256
  bool operator==(const Colour&) const = default;
};

/// Begins a background, or text of a colour; empty where there are no colours.
std::string on(Colour background, TerminalStyle::Colours colours);
std::string in(Colour text, TerminalStyle::Colours colours);
/// Black or white, whichever reads better on this background.
Colour readable_on(Colour background);
/// Ends whatever was begun.
std::string plain(TerminalStyle::Colours colours);

/// The columns that a text takes: its characters without escape sequences. Only characters of one
/// column are counted right, which all of ours are.
std::uint32_t visible_width(std::string_view text);

/// A piece of a line, and how it is meant.
struct Piece {
  enum class Tone { kPlain, kStrong, kWarning, kError };

  std::string text;
  Tone tone = Tone::kPlain;
};

/// The pieces that are not empty with two spaces between them, as many from the front as fit; the
/// first one is cut where it does not fit alone.
std::string line_of(const std::vector<Piece>& pieces, const TerminalStyle& style);

}  // namespace lipizz::report
