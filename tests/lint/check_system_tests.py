"""Checks that every test method of tests/system/*_test.py is registered with CTest, and that every
registered one is there."""

import re

from source_tree import ROOT, finish

CLASS = re.compile(r"^class (\w+)\b", re.MULTILINE)
METHOD = re.compile(r"^    def test_(\w+)\(", re.MULTILINE)
SET = re.compile(r"\bset\(\s*(\w+)\s+([^)]*)\)")
REGISTRATION = re.compile(r"\blipizz_add_system_test\(\s*(\w+)\s+(\w+)\b([^)]*)\)")


def base_classes(text):
    """class -> the names in its parentheses."""
    return {name: re.findall(r"\w+", bases) for name, bases in re.findall(r"^class (\w+)\(([^)]*)\)", text, re.MULTILINE)}


def written_methods(texts):
    """(module, class, method) of every test of a class that CTest can run: one that is not a mere
    base of others. Methods that a class inherits from a base in any module count as its own."""
    own, bases, module_of = {}, {}, {}
    for module, text in texts.items():
        bases.update(base_classes(text))
        starts = [(match.start(), match.group(1)) for match in CLASS.finditer(text)]
        for (start, name), end in zip(starts, [*(start for start, _ in starts[1:]), len(text)]):
            own[name] = set(METHOD.findall(text[start:end]))
            module_of[name] = module
    is_base = {base for names in bases.values() for base in names}

    def methods(name):
        return own.get(name, set()).union(*(methods(base) for base in bases.get(name, ())))

    return {(module_of[name], name, method) for name in own if name not in is_base for method in methods(name)}


def registered_methods(cmake):
    """(module, class, method) of every entry of the CMakeLists.txt."""
    cmake = re.sub(r"#.*", "", cmake)
    variables = {name: value.split() for name, value in SET.findall(cmake)}
    entries = set()
    for module, class_name, rest in REGISTRATION.findall(cmake):
        for word in rest.partition("METHODS")[2].split():
            variable = re.fullmatch(r"\$\{(\w+)\}", word)
            entries.update((f"{module}_test", class_name, method)
                           for method in (variables.get(variable.group(1), []) if variable else [word]))
    return entries


def check(root):
    folder = root / "tests/system"
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}
    written = written_methods(texts)
    registered = registered_methods((folder / "CMakeLists.txt").read_text(encoding="utf-8"))
    for module, class_name, method in sorted(written - registered):
        yield f"tests/system/{module}.py: {class_name}.test_{method} is not in tests/system/CMakeLists.txt"
    for module, class_name, method in sorted(registered - written):
        yield f"tests/system/CMakeLists.txt: {module}.py has no {class_name}.test_{method}"


if __name__ == "__main__":
    finish(list(check(ROOT)), "system tests")
