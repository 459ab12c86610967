#include "grid/buddies.hpp"

#include <gmock/gmock.h>

namespace lipizz::grid::buddies_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<Rank> kFour{{1}, {2}, {3}, {4}};

TEST(Buddies, are_those_that_follow_and_begin_again_after_the_last) {
  const std::vector<std::string> hosts{"m", "a", "a", "a", "a"};
  EXPECT_THAT(buddies_of({1}, kFour, hosts), ElementsAre(Rank{2}, Rank{3}));
  EXPECT_THAT(buddies_of({3}, kFour, hosts), ElementsAre(Rank{4}, Rank{1}));
  EXPECT_THAT(buddies_of({4}, kFour, hosts), ElementsAre(Rank{1}, Rank{2}));
}

TEST(Buddies, are_on_other_hosts_where_there_are_any) {
  const std::vector<std::string> hosts{"a", "a", "a", "b", "b"};
  EXPECT_THAT(buddies_of({1}, kFour, hosts), ElementsAre(Rank{3}, Rank{4}));
  EXPECT_THAT(buddies_of({2}, kFour, hosts), ElementsAre(Rank{3}, Rank{4}));
  EXPECT_THAT(buddies_of({3}, kFour, hosts), ElementsAre(Rank{1}, Rank{2}));
}

TEST(Buddies, on_other_hosts_also_follow_in_order) {
  const std::vector<std::string> hosts{"m", "a", "b", "a", "c", "b"};
  const std::vector<Rank> five{{1}, {2}, {3}, {4}, {5}};
  EXPECT_THAT(buddies_of({3}, five, hosts), ElementsAre(Rank{4}, Rank{5}));
  EXPECT_THAT(buddies_of({5}, five, hosts), ElementsAre(Rank{1}, Rank{3})) << "2 is beside it";
}

TEST(Buddies, on_its_own_host_make_up_the_number) {
  const std::vector<std::string> hosts{"m", "a", "a", "a", "b"};
  EXPECT_THAT(buddies_of({1}, kFour, hosts), ElementsAre(Rank{4}, Rank{2}));
  EXPECT_THAT(buddies_of({3}, kFour, hosts), ElementsAre(Rank{4}, Rank{1}));
}

TEST(Buddies, are_chosen_among_the_workers_named) {
  const std::vector<std::string> hosts{"m", "a", "b", "b", "b"};
  EXPECT_THAT(buddies_of({1}, std::vector<Rank>{{1}, {3}, {4}}, hosts),
              ElementsAre(Rank{3}, Rank{4}));
  EXPECT_THAT(buddies_of({4}, std::vector<Rank>{{1}, {3}, {4}}, hosts),
              ElementsAre(Rank{1}, Rank{3}));
}

TEST(Buddies, are_all_others_where_those_are_few) {
  const std::vector<std::string> hosts{"m", "a", "b", "b", "b"};
  EXPECT_THAT(buddies_of({2}, std::vector<Rank>{{2}, {4}}, hosts), ElementsAre(Rank{4}));
  EXPECT_THAT(buddies_of({2}, std::vector<Rank>{{2}}, hosts), IsEmpty());
}

}  // namespace
}  // namespace lipizz::grid::buddies_test
