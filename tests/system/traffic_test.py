"""A cell talks to its neighbours only: what it sends does not grow with the grid, and the master
sees small messages. Read off `traffic` in result.json."""

import unittest

from launch import POINTS, SystemTest, on_ranks

MAX_MASTER_BYTES = 1024  # per cell and generation, heartbeats aside


class Traffic(SystemTest):
    def traffic(self, rows, columns, generations):
        """Of a run with one worker for each cell."""
        arguments = ["--grid", f"{rows}x{columns}", "--generations", generations, *POINTS]
        return self.result_of(on_ranks(1 + rows * columns, *arguments))["traffic"]

    def exchange_per_cell(self, rows, columns):
        """Messages and bytes of one cell. Every cell of a cross5 torus sends alike, so exact.
        All of it travels on LOCAL, which carries nothing else; GLOBAL has one result per cell."""
        traffic = self.traffic(rows, columns, generations=2)
        exchange, cells = traffic["local"], rows * columns
        for count in exchange["messages"], exchange["bytes"]:
            self.assertGreater(count, 0)
            self.assertEqual(count % cells, 0)
        self.assertEqual(exchange["messages"], traffic["exchange"]["messages"])
        self.assertEqual(exchange["bytes"], traffic["exchange"]["bytes"])
        self.assertEqual(traffic["global"]["messages"], cells)
        return exchange["messages"] // cells, exchange["bytes"] // cells

    def test_exchange_does_not_grow_from_3x3_to_4x4(self):
        self.assertEqual(self.exchange_per_cell(3, 3), self.exchange_per_cell(4, 4))

    def test_exchange_does_not_grow_from_3x3_to_8x8(self):
        self.assertEqual(self.exchange_per_cell(3, 3), self.exchange_per_cell(8, 8))

    def test_the_master_sees_little(self):
        grown = (self.traffic(3, 3, generations=4)["master"]["bytes"] -
                 self.traffic(3, 3, generations=2)["master"]["bytes"])
        self.assertGreater(grown, 0)
        self.assertLessEqual(grown / (9 * 2), MAX_MASTER_BYTES)


if __name__ == "__main__":
    unittest.main()
