#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lipizz::nn::testing {

/// Numbers by name, as reference/writing.py writes them.
using Table = std::map<std::string, std::vector<double>>;

inline Table read_table(const std::string& file) {
  std::ifstream in(LIPIZZ_REFERENCE_DIR "/" + file);
  Table table;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    std::size_t n = 0;
    words >> name >> n;
    std::vector<double>& values = table[name];
    values.resize(n);
    for (double& value : values) words >> value;
    EXPECT_TRUE(words) << name;
  }
  return table;
}

}  // namespace lipizz::nn::testing
