#include "nn/graph/slot_log.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace lipizz::nn::slot_log_test {
namespace {

using ::testing::ElementsAre;

constexpr SlotId kSlot{3};

// `first+n writer [readers]` of each piece, and how it was touched.
class Told {
 public:
  std::vector<std::string> read(std::size_t first, std::size_t n, std::uint32_t operation) {
    std::vector<std::string> told;
    log_.read({kSlot, first, n}, operation, noting(told));
    return told;
  }
  std::vector<std::string> write(std::size_t first, std::size_t n, std::uint32_t operation) {
    std::vector<std::string> told;
    log_.write({kSlot, first, n}, operation, noting(told));
    return told;
  }

 private:
  static SlotLog::Visit noting(std::vector<std::string>& told) {
    return [&told](const SlotLog::Piece& piece) {
      std::string text = std::to_string(piece.part.first) + "+" + std::to_string(piece.part.n);
      text += piece.writer ? " " + std::to_string(*piece.writer) : " -";
      for (const std::uint32_t reader : piece.readers) text += " " + std::to_string(reader);
      told.push_back(text);
    };
  }
  SlotLog log_;
};

TEST(SlotLog, tells_who_has_written_and_read_each_piece) {
  Told log;
  EXPECT_THAT(log.read(0, 10, 1), ElementsAre("0+10 -"));
  EXPECT_THAT(log.write(2, 3, 2), ElementsAre("2+3 - 1"));
  EXPECT_THAT(log.read(0, 10, 3), ElementsAre("0+2 - 1", "2+3 2", "5+5 - 1"));
  EXPECT_THAT(log.write(4, 4, 4), ElementsAre("4+1 2 3", "5+3 - 1 3"));
  EXPECT_THAT(log.read(1, 8, 5),
              ElementsAre("1+1 - 1 3", "2+2 2 3", "4+1 4", "5+3 4", "8+1 - 1 3"));
}

TEST(SlotLog, pieces_that_nobody_has_touched_lie_between) {
  Told log;
  log.write(4, 2, 1);
  log.write(10, 2, 2);
  EXPECT_THAT(log.read(0, 16, 3), ElementsAre("0+4 -", "4+2 1", "6+4 -", "10+2 2", "12+4 -"));
  EXPECT_THAT(log.read(5, 1, 4), ElementsAre("5+1 1 3"));
  EXPECT_THAT(log.read(5, 0, 4), ElementsAre());
}

TEST(SlotLog, slots_are_apart) {
  SlotLog log;
  log.write({{0}, 0, 4}, 1, [](const SlotLog::Piece&) {});
  log.read({{1}, 0, 4}, 2, [](const SlotLog::Piece& piece) { EXPECT_FALSE(piece.writer); });
}

}  // namespace
}  // namespace lipizz::nn::slot_log_test
