"""The small lint checks must find what they look for."""

import pathlib
import shutil
import tempfile
import unittest

import check_comments
import check_fuzz_targets
import check_markdown
import check_mirror
import check_sizes
import check_system_tests
import check_words


class FuzzTargets(unittest.TestCase):
    def test_what_only_gcc_takes_is_found_in_targets_and_headers(self):
        if not shutil.which("clang++-16"):
            self.skipTest("clang 16 is not installed")
        only_gcc = "template <class T>\nstruct Typed {\n  T value;\n};\ninline constexpr Typed kTyped{1};\n"
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/nn", "tests/fuzz"):
                (root / name).mkdir(parents=True)
            (root / "src/nn/good.hpp").write_text("inline constexpr int kGood = 1;\n", encoding="utf-8")
            self.assertEqual(check_fuzz_targets.check("clang++-16", root, root), [])
            for bad, named in (("tests/fuzz/bad_fuzz.cpp", "bad_fuzz.cpp"), ("src/nn/bad.hpp", "headers")):
                (root / bad).write_text(only_gcc, encoding="utf-8")
                found = check_fuzz_targets.check("clang++-16", root, root)
                self.assertEqual([line.split(":")[0] for line in found], [named])


class Sizes(unittest.TestCase):
    def test_a_function_is_measured_from_head_to_brace(self):
        text = "namespace a {\nclass B {\n  int f(int x,\n        int y) const {\n    if (x) {\n    }\n  }\n};\n}\n"
        self.assertEqual(list(check_sizes.functions(text)), [(3, 5)])

    def test_braces_in_literals_and_comments_do_not_count(self):
        text = "void f() {  // {\n  g(\"{\", '{', R\"({)\");  /* { */\n}\nvoid h() {\n}\n"
        self.assertEqual(list(check_sizes.functions(text)), [(1, 3), (4, 2)])

    def test_long_files_and_functions_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "src/a.cpp").write_text("void f() {\n" + "  g();\n" * 700 + "}\n", encoding="utf-8")
            self.assertEqual(len(list(check_sizes.check(root))), 2)

    def test_data_members_are_counted_and_nothing_else(self):
        text = """
class Outer final : public Base<int, long> {
 public:
  using Call = std::function<void(int)>;
  static constexpr int kLimit = 3;
  enum class Kind { kA, kB };
  struct Inner {
    int x, y;
    double z = f(1, 2);
  };
  Outer();
  explicit Outer(int a) : a_(a), b_{1} {}
  int get() const { int local = 1; return local; }
  friend bool operator==(const Outer&, const Outer&) = default;

 private:
  void help();
  int a_;
  std::map<int, std::vector<int>> b_{};  // a comment; with a semicolon
  std::function<void(int, int)> call_ = [](int, int) {};
  const int& c_;
};
void f() { struct Local { int only; }; }
"""
        found = {name: n for _, name, n in check_sizes.classes(text)}
        self.assertEqual(found, {"Outer": 4, "Inner": 3, "Local": 1})

    def test_large_classes_are_found(self):
        members = "".join(f"  int m{i}_;\n" for i in range(16))
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "src/a.hpp").write_text("class A {\n" + members + "};\n", encoding="utf-8")
            self.assertEqual(list(check_sizes.check(root)),
                             ["src/a.hpp:1: A has 16 data members; at most 15"])

    def test_a_report_has_medians(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "src/a.hpp").write_text("struct A {\n  int a;\n};\nvoid f() {\n}\n", encoding="utf-8")
            lines = list(check_sizes.report(root))
            self.assertIn("lines of a file: median 5 of 1; the most:", lines)
            self.assertIn("lines of a function: median 2 of 1; the most:", lines)
            self.assertIn("     1 src/a.hpp:1 A", lines)


class Words(unittest.TestCase):
    def test_each_word_is_found(self):
        for text in ("see /work/main\n", "from deb.debian.org\n", "as our session did\n", "// TODO later\n",
                     "<<<<<<< HEAD\n", "/home/me/x\n"):
            self.assertEqual(len(list(check_words.findings_in("a.md", text))), 1, text)

    def test_plain_text_passes(self):
        text = "A worker trains. framework/network, src/worker/main, the MPI session handle\n"
        self.assertEqual(list(check_words.findings_in("a.md", text)), [])


class Markdown(unittest.TestCase):
    WORDS = "word " * 40

    def findings(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(check_markdown.check(root))

    def test_long_lines_are_found_but_in_code_and_tables(self):
        found = self.findings({"a.md": f"{self.WORDS}\n\n- {self.WORDS}\n"})
        self.assertEqual([line.partition(" ")[0] for line in found], ["a.md:1:", "a.md:3:"])
        fine = f"| {self.WORDS} |\n\n    {self.WORDS}\n\n```\n{self.WORDS}\n```\n[a](https://{'x' * 120})\n"
        self.assertEqual(self.findings({"a.md": fine}), [])

    def test_links_that_lead_nowhere_are_found(self):
        found = self.findings({"docs/a.md": "# Two words, `here`\n[b](b.md) [c](#two-words-here) [d](#three) `[e](e.md)`\n"
                                            "| [f](../g.md#h) |\n", "g.md": "## H\n"})
        self.assertEqual(found, ["docs/a.md:2: the link to b.md leads nowhere",
                                 "docs/a.md:2: the link to #three leads nowhere"])

    def test_functions_are_in_the_file_that_is_told(self):
        text = "`grid/torus.cpp`: `Torus::east`, `Torus::west`; `grid/none.cpp`: `north`\n"
        found = self.findings({"a.md": text, "src/grid/torus.cpp": "int Torus::east() {}\n"})
        self.assertEqual(found, ["a.md: Torus::west is not in src/grid/torus.cpp",
                                 "a.md: north is not in src/grid/none.cpp"])

    def test_folders_that_the_map_lacks_are_found(self):
        found = self.findings({"README.md": "| `src/grid` |\n", "src/grid/CMakeLists.txt": "",
                               "src/nn/cpu/CMakeLists.txt": "", "src/CMakeLists.txt": ""})
        self.assertEqual(found, ["README.md: src/nn/cpu is not in it"])

    def test_wrapping_keeps_words_lists_and_code(self):
        text = f"# Title\n\n- {self.WORDS}\n  more\n- b\n\n    code   here {self.WORDS}\n\n{self.WORDS}\n"
        laid_out = check_markdown.wrapped(text)
        self.assertEqual(laid_out.split(), text.split())
        self.assertEqual(list(check_markdown.long_lines(laid_out)), [])
        self.assertEqual(check_markdown.wrapped(laid_out), laid_out)
        self.assertIn(f"    code   here {self.WORDS}\n", laid_out)

    def test_wrapping_begins_no_line_like_a_list(self):
        laid_out = check_markdown.wrapped("x" * 97 + " 12 - 7 " + "y" * 90 + "\n")
        self.assertEqual([line[:1] for line in laid_out.splitlines()], ["x", "1"])


class Comments(unittest.TestCase):
    def test_sentences_that_begin_as_fragments_are_found(self):
        text = "// Of convolutions.\nint a;  // of the grid\n/// It is one.\n/// Whether it is set. What it is.\n//\n// Who has it"
        self.assertEqual(list(check_comments.fragments(text)),
                         [(1, "Of"), (4, "Whether"), (4, "What"), (6, "Who")])

    def test_whole_sentences_questions_and_literals_pass(self):
        text = ("// The caller says what it is. Who asks?\n// One of them. In what order they come, the caller says.\n"
                'f("// Of no comment");\n')
        self.assertEqual(list(check_comments.fragments(text)), [])


class Mirror(unittest.TestCase):
    def test_a_missing_test_and_a_stale_exemption_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/nn/cpu/a.cpp", "src/nn/kinds/c.cpp", "src/nn/b.cpp", "src/main.cpp", "tests/nn/b_test.cpp"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("", encoding="utf-8")
            exempt = {"src/main.cpp": "", "src/gone.cpp": ""}
            suites = {"src/nn/kinds": "", "src/nowhere": ""}
            self.assertEqual(list(check_mirror.check(root, exempt, suites)),
                             ["src/nn/cpu/a.cpp: its test tests/nn/cpu/a_test.cpp is missing",
                              "src/gone.cpp: exempt, but not there",
                              "src/nowhere: has a suite, but is not there"])


class SystemTests(unittest.TestCase):
    def findings(self, cmake):
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder) / "tests/system"
            tests.mkdir(parents=True)
            (tests / "launch.py").write_text("class Base:\n    def test_c(self):\n        pass\n", encoding="utf-8")
            (tests / "x_test.py").write_text(
                "class X(Base):\n    def test_a(self):\n        pass\n    def helper(self):\n        pass\n"
                "class Y(Base):\n    def test_b(self):\n        pass\n", encoding="utf-8")
            (tests / "CMakeLists.txt").write_text(cmake, encoding="utf-8")
            return list(check_system_tests.check(pathlib.Path(folder)))

    def test_all_registered_is_fine(self):
        self.assertEqual(self.findings("set(common c)\nlipizz_add_system_test(x X TIMEOUT 1 METHODS ${common})\n"
                                       "lipizz_add_system_test(x X LABELS slow METHODS a)  # the slow one\n"
                                       "lipizz_add_system_test(x Y METHODS b\n  ${common})\n"), [])

    def test_a_missing_method_and_a_stale_entry_are_found(self):
        self.assertEqual(self.findings("lipizz_add_system_test(x X METHODS a c gone)\n"
                                       "lipizz_add_system_test(x Y METHODS c)  # METHODS b\n"),
                         ["tests/system/x_test.py: Y.test_b is not in tests/system/CMakeLists.txt",
                          "tests/system/CMakeLists.txt: x_test.py has no X.test_gone"])


if __name__ == "__main__":
    unittest.main()
