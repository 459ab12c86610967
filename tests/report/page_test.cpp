#include "report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "report/page_files.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::page_test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Page, text_means_nothing_to_html) {
  EXPECT_EQ(html_text("<b title=\"a\">'&amp;'"),
            "&lt;b title=&quot;a&quot;&gt;&#39;&amp;amp;&#39;");
  EXPECT_EQ(html_text("Fréchet"), "Fréchet");
}

TEST(Page, json_is_the_same_json_and_means_nothing_to_html) {
  const std::string hostile = R"({"a":"</script><!-- <script>&lt;","b":[1,"\\u003c"]})";
  const std::string safe = json_in_html(hostile);
  EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(safe), nlohmann::json::parse(hostile));
}

TEST(Page, a_hostile_run_adds_no_element) {
  const std::string hostile = "</title></script><script>alert(1)</script><!--";
  const std::string plain = html_of({.title = "a", .data = "{}"});
  const std::string html =
      html_of({.title = hostile, .data = nlohmann::json{{hostile, hostile}}.dump()});
  for (const char* part : {"<script", "</script", "</title", "<!--"}) {
    EXPECT_EQ(occurrences(html, part), occurrences(plain, part)) << part;
  }
  const std::string data = between(html, "type=\"application/json\">", "</script>");
  EXPECT_EQ(nlohmann::json::parse(data)[hostile], hostile);
}

TEST(Page, needs_nothing_else) {
  const std::string html = html_of(
      {.title = "a", .data = "{}", .styles = {"b{color:red}"}, .scripts = {"lipizz.own()"}});
  EXPECT_EQ(html.find(" src=\""), std::string::npos);
  EXPECT_EQ(html.find("<link rel=\"stylesheet"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  const std::size_t chart = html.find("Chart.js v3");
  const std::size_t common = html.find("const lipizz = ");
  const std::size_t own = html.find("lipizz.own()");
  EXPECT_LT(chart, common);
  EXPECT_LT(common, own);
  EXPECT_NE(own, std::string::npos);
  EXPECT_LT(html.find(kPageStyle), html.find("b{color:red}"));
}

TEST(Page, a_file_of_a_build_can_not_end_its_own_element) {
  for (const std::string_view script : {kChartScript, kPageScript}) {
    EXPECT_EQ(script.find("</script"), std::string_view::npos);
    EXPECT_EQ(script.find("<!--"), std::string_view::npos);
  }
  EXPECT_EQ(kPageStyle.find("</style"), std::string_view::npos);
}

TEST(Page, replaces_a_page_and_nothing_else) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "report.html";
  write_page(file, {.title = "first", .data = "{}"});
  write_page(file, {.title = "second", .data = "{}"});
  EXPECT_NE(text_of(file).find("<title>second</title>"), std::string::npos);

  write_text(file, "my notes");
  EXPECT_THROW(write_page(file, {.title = "third", .data = "{}"}), ConfigError);
  EXPECT_EQ(text_of(file), "my notes");
  EXPECT_THROW(write_page(folder.path(), {.title = "a", .data = "{}"}), ConfigError);
  EXPECT_THROW(write_page(folder / "no folder/a.html", {.title = "a", .data = "{}"}),
               CheckpointError);
}

}  // namespace
}  // namespace lipizz::report::page_test
