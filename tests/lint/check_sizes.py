"""Checks that no file and no function has grown beyond what one reads in one go.

The limits are far above the habit (files near 100 lines, functions of 5 to 20). Functions are found
by their braces, which clang-format's layout makes reliable enough for a limit.
"""

import re

from source_tree import ROOT, cpp_files, finish

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 100

LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                      re.DOTALL)
CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$")


def without_literals(text):
    """The text with comments and literals blanked out, its line breaks kept."""
    return LITERALS.sub(lambda match: "\n" * match.group().count("\n"), text)


def functions(text):
    """Yields (first line, number of lines) of every brace block that belongs to a function."""
    line, head, head_line, nesting = 1, "", 1, []
    for character in without_literals(text):
        if character == "{":
            inside = any(kind == "function" for kind, _ in nesting)
            is_function = "(" in head and not inside and not CONTAINER.search(head)
            nesting.append(("function" if is_function else "other", head_line))
            head = ""
        elif character in ";}":
            if character == "}" and nesting:
                kind, first = nesting.pop()
                if kind == "function":
                    yield first, line - first + 1
            head = ""
        elif not character.isspace() and not head.strip():
            head, head_line = character, line
        else:
            head += character
        line += character == "\n"


def check(root):
    for path in cpp_files(root, "src", "tests", "bench", "docs"):
        text = (root / path).read_text(encoding="utf-8")
        n_lines = text.count("\n")
        if n_lines > MAX_FILE_LINES:
            yield f"{path}: {n_lines} lines; at most {MAX_FILE_LINES}, better near 100"
        for first, length in functions(text):
            if length > MAX_FUNCTION_LINES:
                yield f"{path}:{first}: a function of {length} lines; at most {MAX_FUNCTION_LINES}, better near 10"


if __name__ == "__main__":
    finish(list(check(ROOT)), "sizes")
