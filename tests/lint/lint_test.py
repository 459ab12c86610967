"""The small lint checks must find what they look for."""

import pathlib
import tempfile
import unittest

import check_mirror
import check_sizes
import check_words


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


class Words(unittest.TestCase):
    def test_each_word_is_found(self):
        for text in ("see /work/main\n", "from deb.debian.org\n", "as our session did\n", "// TODO later\n",
                     "<<<<<<< HEAD\n", "/home/me/x\n"):
            self.assertEqual(len(list(check_words.findings_in("a.md", text))), 1, text)

    def test_plain_text_passes(self):
        text = "A worker trains. framework/network, src/worker/main, the MPI session handle\n"
        self.assertEqual(list(check_words.findings_in("a.md", text)), [])


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


if __name__ == "__main__":
    unittest.main()
