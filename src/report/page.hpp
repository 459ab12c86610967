#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::report {

/// One HTML file that needs nothing else: it opens from disk, asks no network for anything (its
/// Content-Security-Policy forbids it to), and shows `data` by the page's own scripts.
///
/// In front of these come Chart.js and page.js, whose object `lipizz` holds the data and makes
/// sections, tables, charts and the switch between light and dark; the head of page.js is its
/// manual. A page's own script is usually a list of `lipizz.section(...)` that are filled. The
/// page's skeleton (title, skip link, contents, main) is here.
///
/// Everything that comes from a run is text: `title` is escaped here, and a script must write what
/// is in the data by `textContent` alone, as all functions of page.js do.
struct Page {
  std::string title;                        // plain text
  std::string data;                         // JSON; any text in it is safe
  std::vector<std::string_view> styles{};   // behind page.css
  std::vector<std::string_view> scripts{};  // behind page.js
};

/// The whole file.
std::string html_of(const Page& page);

/// Writes the page whole or not at all. A page of ours that is there is replaced;
/// ConfigError when it is anything else, and CheckpointError when it cannot be written.
void write_page(const std::filesystem::path& file, const Page& page);

/// `text` between tags: `<`, `>`, `&` and quotes as HTML names them.
std::string html_text(std::string_view text);

/// `json` between `<script>` and `</script>`, the same JSON without a character that HTML gives a
/// meaning there (`</script>`, `<!--`).
std::string json_in_html(std::string_view json);

}  // namespace lipizz::report
