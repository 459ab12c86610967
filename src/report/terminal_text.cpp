#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lipizz::report {
namespace {

using Colours = TerminalStyle::Colours;

// The number that escape sequences know a colour by.
std::string code_of(Colour colour, Colours colours) {
  if (colours == Colours::k256) return fmt::format("5;{}", colour.of_256);
  return fmt::format("2;{};{};{}", colour.red, colour.green, colour.blue);
}

// Where colours are not wanted, weight is not either: both are told apart by eye alone.
const char* beginning_of(Piece::Tone tone, Colours colours) {
  if (colours == Colours::kNone) return "";
  switch (tone) {
    case Piece::Tone::kPlain:
      return "";
    case Piece::Tone::kStrong:
      return "\x1b[1m";
    case Piece::Tone::kWarning:
      return "\x1b[33m";
    case Piece::Tone::kError:
      return "\x1b[1;31m";
  }
  return "";
}

std::string toned(const std::string& text, Piece::Tone tone, Colours colours) {
  const std::string beginning = beginning_of(tone, colours);
  return beginning.empty() ? text : beginning + text + plain(colours);
}

// The first so many characters; one of several bytes is left out whole.
std::string cut(const std::string& text, std::uint32_t columns) {
  std::string kept;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continues && visible_width(kept) == columns) break;
    kept += c;
  }
  return kept;
}

}  // namespace

std::string on(Colour background, Colours colours) {
  if (colours == Colours::kNone) return {};
  return fmt::format("\x1b[48;{}m", code_of(background, colours));
}

std::string in(Colour text, Colours colours) {
  if (colours == Colours::kNone) return {};
  return fmt::format("\x1b[38;{}m", code_of(text, colours));
}

Colour readable_on(Colour background) {
  constexpr int kMiddle = 128'000;  // of the luminance
  const int luminance = 299 * background.red + 587 * background.green + 114 * background.blue;
  return luminance > kMiddle ? Colour{0, 0, 0, 16} : Colour{255, 255, 255, 231};
}

std::string plain(Colours colours) {
  return colours == Colours::kNone ? "" : "\x1b[0m";
}

std::uint32_t visible_width(std::string_view text) {
  std::uint32_t width = 0;
  bool is_escape = false;
  for (const char c : text) {
    if (c == '\x1b') {
      is_escape = true;
    } else if (is_escape) {
      is_escape = c == '[' || c == ';' || (c >= '0' && c <= '9');
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string line_of(const std::vector<Piece>& pieces, const TerminalStyle& style) {
  std::string line;
  std::uint32_t left = style.columns;
  for (const Piece& piece : pieces) {
    if (piece.text.empty()) continue;
    const std::uint32_t gap = line.empty() ? 0 : 2;
    const std::uint32_t width = visible_width(piece.text);
    if (width + gap > left && !line.empty()) break;
    line += std::string(gap, ' ') + toned(cut(piece.text, left - gap), piece.tone, style.colours);
    left -= std::min(left, gap + width);
  }
  return line;
}

}  // namespace lipizz::report
