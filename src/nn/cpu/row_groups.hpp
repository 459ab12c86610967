#pragma once

#include <cstddef>

#include "nn/base/shape.hpp"

namespace lipizz::nn {

/// A value's rows in groups: [n_groups, n_rows, n].
struct Groups {
  Groups(const Shape& x, std::size_t groups)
      : n_groups(groups), n_rows(n_elements(x) / x.back() / groups), n(x.back()) {}

  /// Calls with each group's number and the offset of each of its rows.
  template <class Each>
  void for_each_row(const Each& each) const {
    for (std::size_t group = 0; group < n_groups; ++group) {
      for (std::size_t row = 0; row < n_rows; ++row) each(group, (group * n_rows + row) * n);
    }
  }

  std::size_t n_groups;
  std::size_t n_rows;
  std::size_t n;
};

}  // namespace lipizz::nn
