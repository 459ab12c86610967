#include "sweep/keys.hpp"

#include <gmock/gmock.h>

namespace lipizz::sweep {
namespace {

TEST(Keys, an_object_has_its_own) {
  EXPECT_THAT(names_of("stop_early"), testing::ElementsAre("rungs", "keep"));
  EXPECT_THAT(names_of("nothing"), testing::IsEmpty());
}

}  // namespace
}  // namespace lipizz::sweep
