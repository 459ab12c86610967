"""Each rule of check_layers.py must find its violation in a tree made for it."""

import pathlib
import tempfile
import unittest

import check_layers


def findings(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.check(root)


GOOD = {
    "src/core/error.hpp": "#pragma once\n#include <string>\n",
    "src/nn/base/shape.hpp": '#include "core/error.hpp"\n',
    "src/nn/base/CMakeLists.txt": "lipizz_add_module(nn/base DEPS core SOURCES a.cpp)\n",
    "src/data/images.cpp": '#include "nn/base/shape.hpp"\n#include <png.h>\n#include <sys/mman.h>\n',
    "src/data/CMakeLists.txt": "lipizz_add_module(data\n  DEPS core nn/base\n  SOURCES images.cpp)\n",
    "src/comm/mpi_backend.cpp": "#include <mpi.h>\n",
}


class CheckLayers(unittest.TestCase):
    def assert_found(self, files, *words):
        found = findings({**GOOD, **files})
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(findings(GOOD), [])

    def test_a_row_without_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/core").mkdir(parents=True)
            self.assertEqual(check_layers.missing_folders(root, {"core": {}, "report": {}}),
                             ["src/report: in the table of layers, but not there"])

    def test_an_arrow_that_points_down(self):
        self.assert_found({"src/grid/a.cpp": '#include "core/error.hpp"\n#include "nn/base/shape.hpp"\n'},
                          "src/grid/a.cpp:2", "must not include nn")

    def test_master_knows_no_networks(self):
        self.assert_found({"src/master/a.cpp": '#include "nn/base/shape.hpp"\n'}, "must not include nn")

    def test_data_knows_only_tensors(self):
        self.assert_found({"src/data/a.cpp": '#include "nn/base/engine.hpp"\n', "src/nn/base/engine.hpp": ""},
                          "not nn/base/engine.hpp")

    def test_a_level_of_nn_that_includes_a_later_one(self):
        self.assert_found({"src/nn/graph/a.cpp": '#include "nn/exec/device.hpp"\n', "src/nn/exec/device.hpp": ""},
                          "src/nn/graph/a.cpp:1", "nn/graph must not include nn/exec")

    def test_a_folder_below_a_level_belongs_to_it(self):
        self.assert_found({"src/nn/graph/operations/a.cpp": '#include "nn/cpu/plan.hpp"\n', "src/nn/cpu/plan.hpp": ""},
                          "nn/graph must not include nn/cpu")

    def test_mpi_outside_comm(self):
        self.assert_found({"src/app/main.cpp": "#include <mpi.h>\n"}, "comm/mpi_")

    def test_mpi_in_a_header_of_comm_that_everybody_sees(self):
        self.assert_found({"src/comm/communicator.hpp": "#include <mpi.h>\n"}, "comm/mpi_")

    def test_json_in_a_header(self):
        self.assert_found({"src/config/config.hpp": "#include <nlohmann/json.hpp>\n"}, "nlohmann")

    def test_a_library_that_nobody_declared(self):
        self.assert_found({"src/core/a.cpp": "#include <absl/strings/str_cat.h>\n"}, "table of fences")

    def test_a_header_that_is_not_there(self):
        self.assert_found({"src/core/a.cpp": '#include "error.hpp"\n'}, "no header below src/")

    def test_a_folder_that_nobody_declared(self):
        self.assert_found({"src/util/a.cpp": ""}, "folder util")

    def test_cmake_depends_on_what_the_table_forbids(self):
        self.assert_found({"src/grid/CMakeLists.txt": "lipizz_add_module(grid DEPS core comm SOURCES a)"},
                          "grid must not depend on comm")

    def test_cmake_lacks_what_is_included(self):
        self.assert_found({"src/nn/base/CMakeLists.txt": "lipizz_add_module(nn/base SOURCES a.cpp)\n"},
                          "core is included but not in DEPS")

    def test_a_ring_of_folders(self):
        self.assertEqual(check_layers.find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])
        self.assertIsNone(check_layers.find_cycle({"a": {"b", "c"}, "b": {"c"}}))


if __name__ == "__main__":
    unittest.main()
