#include "report/page.hpp"

#include <array>
#include <fstream>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "report/page_files.hpp"

namespace lipizz::report {
namespace {

// By which a page of ours is known; it stands near the beginning of the file.
constexpr std::string_view kMark = "<meta name=\"generator\" content=\"lipizz\">";

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="lipizz">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<link rel="icon" href="data:,">
)";

constexpr std::string_view kBody = R"(<body>
<a class="skip" href="#main">Skip to the content</a>
<header id="top"></header>
<nav id="contents" aria-label="Contents"></nav>
<main id="main" tabindex="-1"><noscript><p>This page draws itself with JavaScript, which is switched off here.</p></noscript></main>
<footer id="foot"></footer>
)";

using Replacement = std::pair<char, std::string_view>;

template <std::size_t n>
std::string replaced(std::string_view text, const std::array<Replacement, n>& replacements) {
  std::string result;
  result.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    std::string_view by(&c, 1);
    for (const auto& [character, replacement] : replacements) {
      if (c == character) by = replacement;
    }
    result += by;
  }
  return result;
}

void add_element(std::string& html, const std::string& tag, std::string_view text) {
  html += '<' + tag + ">\n";
  html += text;
  html += "\n</" + tag + ">\n";
}

bool is_ours(const std::filesystem::path& path) {
  std::array<char, 512> beginning{};
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), beginning.size());
  const std::string_view found(beginning.data(), static_cast<std::size_t>(file.gcount()));
  return found.find(kMark) != std::string_view::npos;
}

}  // namespace

std::string html_text(std::string_view text) {
  constexpr std::array<Replacement, 5> kByName{
      {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};
  return replaced(text, kByName);
}

std::string json_in_html(std::string_view json) {
  // They stand in strings alone, where JSON may write them so.
  constexpr std::array<Replacement, 3> kByNumber{
      {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}}};
  return replaced(json, kByNumber);
}

std::string html_of(const Page& page) {
  std::string html(kHead);
  html += "<title>" + html_text(page.title) + "</title>\n";
  add_element(html, "style", kPageStyle);
  for (const std::string_view style : page.styles) add_element(html, "style", style);
  html += "</head>\n";
  html += kBody;
  html += "<script id=\"data\" type=\"application/json\">";
  html += json_in_html(page.data);
  html += "</script>\n";
  add_element(html, "script", kChartScript);
  add_element(html, "script", kPageScript);
  for (const std::string_view script : page.scripts) add_element(html, "script", script);
  html += "</body>\n</html>\n";
  return html;
}

void write_page(const std::filesystem::path& file, const Page& page) {
  if (!is_missing(file) && !is_ours(file)) {
    throw ConfigError(file.string() +
                      ": expected a page of lipizz to replace or nothing, found something else; " +
                      "move it away, or name another file");
  }
  write_atomically(file, html_of(page));
}

}  // namespace lipizz::report
