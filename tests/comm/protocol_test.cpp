#include "comm/protocol.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "comm/test_world.hpp"
#include "core/error.hpp"

namespace lipizz::comm::protocol_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Protocol, the_tags_on_the_wire_do_not_change) {
  EXPECT_EQ(static_cast<int>(MessageKind::kPing), 1);
  EXPECT_EQ(static_cast<int>(MessageKind::kStatus), 2);
  EXPECT_EQ(static_cast<int>(MessageKind::kAssign), 3);
  EXPECT_EQ(static_cast<int>(MessageKind::kStop), 10);
  EXPECT_EQ(static_cast<int>(MessageKind::kCellSamples), 11);
  EXPECT_EQ(static_cast<int>(MessageKind::kDirective), 12);
  EXPECT_EQ(static_cast<int>(MessageKind::kFlushed), 13);
  EXPECT_EQ(static_cast<int>(MessageKind::kSaved), 14);
  EXPECT_EQ(static_cast<int>(MessageKind::kSharedResource), 15);
  EXPECT_EQ(static_cast<int>(MessageKind::kBegun), 16);
  EXPECT_EQ(static_cast<int>(MessageKind::kCopy), 17);
  EXPECT_EQ(static_cast<int>(MessageKind::kHeld), 18);
  EXPECT_EQ(static_cast<int>(MessageKind::kStable), 19);
  EXPECT_EQ(static_cast<int>(MessageKind::kTraffic), 20);
  EXPECT_EQ(static_cast<int>(MessageKind::kLost), 21);
  EXPECT_EQ(static_cast<int>(MessageKind::kCellPart), 22);
}

constexpr std::size_t kAdded = Authenticator::kAddedBytes;

// A way that messages of this kind take.
Route route_of(MessageKind kind) {
  for (const auto& [source, destination] : {std::pair(0, 1), std::pair(1, 0), std::pair(1, 2)}) {
    const Route route{scope_of(kind), {source}, {destination}, static_cast<int>(kind)};
    if (is_admissible(route, kAdded)) return route;
  }
  ADD_FAILURE() << name_of(kind);
  return {};
}

TEST(Protocol, every_control_tag_is_known_and_no_other) {
  const auto publication = static_cast<int>(MessageKind::kPublication);
  for (int tag = 1; tag < publication; ++tag) {
    const auto kind = static_cast<MessageKind>(tag);
    EXPECT_EQ(route_of(kind).tag, tag);
    EXPECT_FALSE(name_of(kind).empty());
    EXPECT_FALSE(is_of_publication(tag));
  }
  for (const int tag : {-1, 0, publication, publication + 1, 65536 + 1}) {
    for (const auto& [source, destination] : {std::pair(0, 1), std::pair(1, 0), std::pair(1, 2)}) {
      EXPECT_FALSE(is_admissible({Scope::kWorld, {source}, {destination}, tag}, kAdded));
    }
  }
}

TEST(Protocol, a_kind_travels_on_its_own_communicator_only) {
  for (const MessageKind kind :
       {MessageKind::kResult, MessageKind::kCellSamples, MessageKind::kTraffic}) {
    EXPECT_EQ(scope_of(kind), Scope::kGlobal);
  }
  EXPECT_EQ(scope_of(MessageKind::kMetrics), Scope::kWorld);
  for (const MessageKind kind : {MessageKind::kResult, MessageKind::kMetrics, MessageKind::kPing}) {
    Route route = route_of(kind);
    for (const Scope scope : {Scope::kWorld, Scope::kLocal, Scope::kGlobal, Scope::kCell}) {
      route.scope = scope;
      EXPECT_EQ(is_admissible(route, kAdded), scope == scope_of(kind)) << name_of(kind);
    }
  }
}

TEST(Protocol, a_kind_comes_from_whom_it_may_come_from) {
  const auto check = [](MessageKind kind, int source, int destination) {
    const Route route{scope_of(kind), {source}, {destination}, static_cast<int>(kind)};
    const bool is_admitted = is_admissible(route, kAdded);
    if (is_admitted) {
      EXPECT_NO_THROW(check_sent(kind, {source}, {destination}, 0));
    } else {
      EXPECT_THROW(check_sent(kind, {source}, {destination}, 0), InternalError);
    }
    return is_admitted;
  };
  EXPECT_TRUE(check(MessageKind::kStop, 0, 3));
  EXPECT_FALSE(check(MessageKind::kStop, 3, 4)) << "a worker ends nobody";
  EXPECT_FALSE(check(MessageKind::kStop, 3, 0));
  EXPECT_FALSE(check(MessageKind::kAssign, 3, 4));
  EXPECT_TRUE(check(MessageKind::kFailure, 3, 0));
  EXPECT_FALSE(check(MessageKind::kFailure, 3, 4));
  EXPECT_TRUE(check(MessageKind::kCopy, 3, 4));
  EXPECT_TRUE(check(MessageKind::kCellSamples, 3, 3)) << "a worker to itself";
  EXPECT_FALSE(check(MessageKind::kCopy, 0, 4));
  EXPECT_FALSE(check(MessageKind::kCopy, 4, 0));
}

TEST(Protocol, publications_leave_local_when_a_worker_is_lost) {
  PublicationHeader header;
  header.incarnation = kFirstIncarnation;
  EXPECT_EQ(scope_of_publication(header), Scope::kLocal);
  for (const std::uint32_t later : {2U, 3U, 1000U}) {
    header.incarnation = later;
    EXPECT_EQ(scope_of_publication(header), Scope::kGlobal);
  }
}

TEST(Protocol, a_payload_above_its_limit_is_refused_both_ways) {
  const Route ping = route_of(MessageKind::kPing);
  EXPECT_TRUE(is_admissible(ping, 65536 + kAdded));
  EXPECT_FALSE(is_admissible(ping, 65537 + kAdded));
  EXPECT_NO_THROW(check_sent(MessageKind::kPing, kMaster, {1}, 65536));
  EXPECT_THAT(error_of([&] { check_sent(MessageKind::kPing, kMaster, {1}, 65537); }),
              AllOf(HasSubstr("ping"), HasSubstr("65537"), HasSubstr("65536")));
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  const Route payload{Scope::kLocal, {1}, {2}, payload_tag_of({})};
  EXPECT_TRUE(is_admissible(payload, kLargest));
  EXPECT_FALSE(is_admissible(payload, kLargest + 1));
  EXPECT_THROW(check_sent(MessageKind::kPublication, {1}, {2}, kLargest + 1), CommError);
}

TEST(Protocol, a_whole_state_has_as_much_room_as_a_publication) {
  for (const MessageKind kind : {MessageKind::kCopy, MessageKind::kSharedResource}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kPublication));
  }
  for (const MessageKind kind : {MessageKind::kBegun, MessageKind::kHeld, MessageKind::kStable}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kPing)) << "a few numbers";
  }
}

AuthenticationCode code_of(int value) {
  AuthenticationCode code;
  code.fill(static_cast<std::byte>(value));
  return code;
}

TEST(Protocol, a_publication_survives_the_wire) {
  const PublicationHeader header{CellId{3}, CellId{9}, 2, 70'000, 8};
  const Bytes head = encode_publication_head(header, code_of(42));
  EXPECT_EQ(head.size(), 40u);
  EXPECT_EQ(head[0], std::byte{3});  // the source comes first, little-endian
  EXPECT_EQ(head[4], std::byte{9});
  PublicationReader reader;
  reader.read_head(Rank{1}, tag_of(header), head);
  ASSERT_TRUE(reader.expects(payload_tag_of(header)));
  EXPECT_EQ(reader.payload_code(), code_of(42));
  const PublicationHeader read = reader.take_header();
  EXPECT_EQ(read.source, header.source);
  EXPECT_EQ(read.destination, header.destination);
  EXPECT_EQ(read.incarnation, 2u);
  EXPECT_EQ(read.generation, 70'000u);
  EXPECT_EQ(read.direction, 8u);
}

TEST(Protocol, a_payload_whose_head_was_given_up_is_not_expected) {
  const PublicationHeader first{CellId{3}, CellId{9}, 0, 5, 1};
  const PublicationHeader second{CellId{3}, CellId{9}, 0, 6, 1};
  PublicationReader reader;
  EXPECT_FALSE(reader.expects(payload_tag_of(first)));
  reader.read_head(Rank{1}, tag_of(first), encode_publication_head(first, {}));
  reader.read_head(Rank{1}, tag_of(second), encode_publication_head(second, {}));
  EXPECT_FALSE(reader.expects(payload_tag_of(first)));
  EXPECT_TRUE(reader.expects(payload_tag_of(second)));
  EXPECT_EQ(reader.take_header().generation, 6u);
  EXPECT_FALSE(reader.expects(payload_tag_of(second)));
}

TEST(Protocol, tags_tell_directions_and_generations_apart) {
  std::set<int> tags;
  for (Generation generation = 100'000; generation < 100'512; ++generation) {
    for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
      const PublicationHeader header{CellId{}, CellId{}, 0, generation, direction};
      tags.insert(tag_of(header));
      tags.insert(payload_tag_of(header));
    }
  }
  EXPECT_EQ(tags.size(), 2u * 512u * 16u);
  EXPECT_EQ(*tags.begin(), 8192);
  EXPECT_EQ(*tags.rbegin(), 24575);
  EXPECT_LE(*tags.rbegin(), kMaxTag);
  EXPECT_TRUE(std::ranges::all_of(tags, is_of_publication));
}

TEST(Protocol, a_malformed_publication_is_refused) {
  const Route route{Scope::kLocal, {4}, {2}, tag_of({})};
  constexpr std::size_t kHead = 40;
  EXPECT_TRUE(is_admissible(route, kHead + kAdded));
  for (const std::size_t n_bytes : {kHead - 1, kHead + 1}) {
    EXPECT_FALSE(is_admissible(route, n_bytes + kAdded));
    PublicationReader reader;
    EXPECT_THROW(reader.read_head(Rank{4}, tag_of({}), Bytes(n_bytes)), CommError);
  }
  EXPECT_FALSE(is_admissible({Scope::kWorld, {4}, {2}, tag_of({})}, kHead + kAdded));
  EXPECT_FALSE(is_admissible({Scope::kGlobal, {4}, kMaster, tag_of({})}, kHead + kAdded));

  PublicationHeader header{CellId{3}, CellId{9}, 0, 5, 2};
  const Bytes head = encode_publication_head(header, {});
  PublicationReader reader;
  EXPECT_THAT(error_of([&] { reader.read_head(Rank{4}, tag_of(header) + 1, head); }),
              AllOf(HasSubstr("cell 3"), HasSubstr("rank 4")));
  header.direction = kMaxDirections;
  EXPECT_THROW(static_cast<void>(encode_publication_head(header, {})), CommError);
}

}  // namespace
}  // namespace lipizz::comm::protocol_test
