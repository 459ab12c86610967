#include "data/glyph_styles.hpp"

#include <array>

#include "core/check.hpp"

namespace lipizz::data {
namespace {

constexpr PathPoint kZeroA[] = {{38, 3},  {22, 3},  {6, 26},  {2, 56}, {12, 88}, {32, 100},
                                {52, 86}, {60, 48}, {50, 14}, {34, 2}, {24, 8}};
constexpr PathPoint kZeroB[] = {{50, 16},  {30, 0},  {8, 20},  {2, 55},  {14, 90},
                                {34, 100}, {56, 80}, {62, 45}, {52, 14}, {40, 6}};
constexpr PathPoint kZeroC[] = {{36, 0},  {20, 18}, {10, 56}, {14, 90}, {28, 100},
                                {46, 82}, {54, 44}, {48, 10}, {36, 0}};

constexpr PathPoint kOneA[] = {{30, 0}, {29, 34}, {27, 68}, {26, 100}};
constexpr PathPoint kOneB[] = {{10, 24}, {22, 14}, {32, 0}, {32, 0}, {32, 34}, {31, 68}, {31, 100}};
constexpr PathPoint kOneC[] = {{12, 20},  {22, 12}, {32, 0},   {32, 0},  {32, 50},
                               {32, 100}, kPenUp,   {10, 100}, {32, 99}, {54, 100}};

constexpr PathPoint kTwoA[] = {{6, 22},  {16, 6}, {34, 0}, {52, 10}, {54, 30}, {40, 54},
                               {20, 78}, {4, 98}, {4, 98}, {30, 97}, {60, 98}};
constexpr PathPoint kTwoB[] = {{8, 18}, {26, 2}, {48, 8},  {54, 28}, {42, 56}, {22, 84},
                               {8, 98}, {2, 88}, {14, 80}, {34, 92}, {50, 98}, {62, 90}};
constexpr PathPoint kTwoC[] = {{4, 30},  {8, 10},  {30, 0},  {54, 12}, {50, 38}, {28, 66},
                               {2, 100}, {2, 100}, {18, 91}, {40, 98}, {60, 88}};

constexpr PathPoint kThreeA[] = {{6, 12},  {26, 0},  {48, 8},  {50, 28}, {36, 44},  {20, 48},
                                 {20, 48}, {44, 52}, {58, 68}, {52, 90}, {30, 100}, {4, 90}};
constexpr PathPoint kThreeB[] = {{6, 2},   {30, 3},  {52, 2},  {52, 2},  {40, 20},  {26, 40},
                                 {26, 40}, {50, 48}, {58, 70}, {46, 94}, {22, 100}, {2, 88}};
constexpr PathPoint kThreeC[] = {{8, 14},  {28, 0},  {50, 12}, {46, 34}, {26, 46},  {16, 49},
                                 {26, 53}, {50, 56}, {58, 76}, {44, 96}, {20, 100}, {2, 90}};

constexpr PathPoint kFourA[] = {{12, 0},  {8, 30}, {4, 56},  {4, 56},  {30, 58},
                                {62, 54}, kPenUp,  {46, 10}, {44, 50}, {42, 100}};
constexpr PathPoint kFourB[] = {{44, 0},  {22, 34}, {2, 64}, {2, 64},  {34, 66},
                                {64, 64}, kPenUp,   {44, 0}, {44, 50}, {44, 100}};
constexpr PathPoint kFourC[] = {{10, 4}, {6, 34}, {14, 54}, {36, 56}, {50, 40},
                                {54, 6}, {54, 6}, {52, 50}, {46, 100}};

constexpr PathPoint kFiveA[] = {{54, 2},  {34, 4},  {14, 4},  {14, 4},  {12, 24},  {10, 42},
                                {10, 42}, {34, 36}, {56, 54}, {54, 82}, {32, 100}, {4, 90}};
constexpr PathPoint kFiveB[] = {{16, 4},  {14, 24}, {12, 44},  {12, 44}, {36, 38},
                                {58, 58}, {50, 88}, {26, 100}, {2, 90},  kPenUp,
                                {16, 4},  {36, 4},  {60, 0}};
constexpr PathPoint kFiveC[] = {{54, 4},  {30, 2},  {12, 12},  {10, 36}, {30, 46},
                                {52, 62}, {50, 88}, {28, 100}, {4, 90}};

constexpr PathPoint kSixA[] = {{46, 2},  {24, 22}, {8, 52},  {6, 80},  {22, 100},
                               {46, 96}, {56, 76}, {44, 58}, {24, 60}, {8, 76}};
constexpr PathPoint kSixB[] = {{30, 0},  {14, 34}, {4, 68},  {14, 96}, {36, 100},
                               {52, 84}, {46, 64}, {28, 58}, {10, 72}};
constexpr PathPoint kSixC[] = {{56, 8},   {38, 0},  {16, 20}, {4, 58},  {12, 92},
                               {34, 100}, {54, 86}, {52, 64}, {32, 56}, {10, 70}};

constexpr PathPoint kSevenA[] = {{4, 4}, {30, 5}, {58, 4}, {58, 4}, {40, 48}, {24, 100}};
constexpr PathPoint kSevenB[] = {{4, 8},    {30, 4}, {58, 2},  {58, 2},  {36, 50},
                                 {22, 100}, kPenUp,  {16, 50}, {34, 49}, {52, 48}};
constexpr PathPoint kSevenC[] = {{4, 18}, {6, 4},   {6, 4},   {34, 6},  {60, 2},
                                 {60, 2}, {44, 36}, {34, 66}, {30, 100}};

constexpr PathPoint kEightA[] = {{52, 14}, {34, 0},  {12, 10},  {14, 34}, {36, 50},
                                 {54, 70}, {46, 94}, {24, 100}, {6, 86},  {12, 64},
                                 {34, 46}, {52, 28}, {50, 10}};
constexpr PathPoint kEightB[] = {{30, 0},  {12, 12},  {14, 36}, {30, 46}, {48, 36},
                                 {50, 12}, {30, 0},   kPenUp,   {30, 46}, {8, 60},
                                 {6, 86},  {30, 100}, {54, 86}, {52, 60}, {30, 46}};
constexpr PathPoint kEightC[] = {{56, 8},   {36, 0}, {20, 14}, {28, 38}, {44, 60}, {42, 90},
                                 {22, 100}, {8, 84}, {20, 58}, {44, 36}, {58, 10}};

constexpr PathPoint kNineA[] = {{54, 16}, {34, 0},  {10, 12}, {6, 36},  {24, 50},
                                {46, 40}, {54, 16}, {54, 16}, {52, 60}, {48, 100}};
constexpr PathPoint kNineB[] = {{52, 20}, {36, 2},  {12, 8},  {6, 32},  {22, 48},  {44, 38},
                                {54, 14}, {54, 14}, {54, 54}, {44, 88}, {24, 100}, {8, 92}};
constexpr PathPoint kNineC[] = {{52, 18}, {32, 2}, {10, 18}, {12, 44}, {32, 46},
                                {50, 26}, {54, 8}, {54, 8},  {46, 52}, {36, 100}};

constexpr PenPath kZero[] = {kZeroA, kZeroB, kZeroC};
constexpr PenPath kOne[] = {kOneA, kOneB, kOneC};
constexpr PenPath kTwo[] = {kTwoA, kTwoB, kTwoC};
constexpr PenPath kThree[] = {kThreeA, kThreeB, kThreeC};
constexpr PenPath kFour[] = {kFourA, kFourB, kFourC};
constexpr PenPath kFive[] = {kFiveA, kFiveB, kFiveC};
constexpr PenPath kSix[] = {kSixA, kSixB, kSixC};
constexpr PenPath kSeven[] = {kSevenA, kSevenB, kSevenC};
constexpr PenPath kEight[] = {kEightA, kEightB, kEightC};
constexpr PenPath kNine[] = {kNineA, kNineB, kNineC};

constexpr std::array<std::span<const PenPath>, 10> kStyles{kZero, kOne, kTwo,   kThree, kFour,
                                                           kFive, kSix, kSeven, kEight, kNine};

}  // namespace

std::span<const PenPath> glyph_styles(std::uint32_t digit) {
  LIPIZZ_ASSERT(digit < kStyles.size());
  return kStyles[digit];
}

}  // namespace lipizz::data
