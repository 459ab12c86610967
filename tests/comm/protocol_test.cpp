#include "comm/protocol.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "comm/test_world.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
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
  EXPECT_EQ(static_cast<int>(MessageKind::kPublication), 22);
}

TEST(Protocol, every_control_tag_is_known_and_no_other) {
  const auto genome = static_cast<int>(MessageKind::kPublication);
  for (int tag = 1; tag < genome; ++tag) {
    const auto kind = static_cast<MessageKind>(tag);
    EXPECT_EQ(check_control(scope_of(kind), Rank{1}, tag, 0), kind);
    EXPECT_FALSE(name_of(kind).empty());
    EXPECT_FALSE(is_of_publication(tag));
  }
  for (const int tag : {-1, 0, genome, genome + 1, 65536 + 1}) {
    EXPECT_THAT(error_of([&] { static_cast<void>(check_control(Scope::kWorld, Rank{7}, tag, 0)); }),
                AllOf(HasSubstr("rank 7"), HasSubstr("tag " + std::to_string(tag))));
  }
}

TEST(Protocol, a_kind_travels_on_its_own_communicator_only) {
  for (const MessageKind kind :
       {MessageKind::kResult, MessageKind::kCellSamples, MessageKind::kTraffic}) {
    EXPECT_EQ(scope_of(kind), Scope::kGlobal);
  }
  EXPECT_EQ(scope_of(MessageKind::kMetrics), Scope::kWorld);
  const auto check = [](Scope scope, MessageKind kind) {
    static_cast<void>(check_control(scope, Rank{7}, static_cast<int>(kind), 0));
  };
  EXPECT_THROW(check(Scope::kWorld, MessageKind::kResult), CommError);
  EXPECT_THROW(check(Scope::kGlobal, MessageKind::kMetrics), CommError);
  EXPECT_THAT(error_of([&] { check(Scope::kLocal, MessageKind::kPing); }),
              AllOf(HasSubstr("on LOCAL"), HasSubstr("rank 7")));
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
  const auto ping = static_cast<int>(MessageKind::kPing);
  EXPECT_EQ(check_control(Scope::kWorld, Rank{1}, ping, 65536), MessageKind::kPing);
  EXPECT_THAT(
      error_of([&] { static_cast<void>(check_control(Scope::kWorld, Rank{1}, ping, 65537)); }),
      AllOf(HasSubstr("ping"), HasSubstr("65537"), HasSubstr("65536")));
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  EXPECT_THROW(static_cast<void>(encode_publication_header({}, kLargest + 1)), CommError);
  EXPECT_THROW(check_publication(Rank{1}, payload_tag_of({}), kLargest + 1), CommError);
  EXPECT_NO_THROW(check_publication(Rank{1}, payload_tag_of({}), kLargest));
}

TEST(Protocol, a_whole_state_has_as_much_room_as_a_publication) {
  for (const MessageKind kind : {MessageKind::kCopy, MessageKind::kSharedResource}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kPublication));
  }
  for (const MessageKind kind : {MessageKind::kBegun, MessageKind::kHeld, MessageKind::kStable}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kPing)) << "a few numbers";
  }
}

TEST(Protocol, a_publication_survives_the_wire) {
  const PublicationHeader header{CellId{3}, CellId{9}, 2, 70'000, 8};
  const Bytes payload(5, std::byte{42});
  const Bytes message = encode_publication_header(header, payload.size());
  EXPECT_EQ(message.size(), 24u);
  EXPECT_EQ(message[0], std::byte{3});  // the source comes first, little-endian
  EXPECT_EQ(message[4], std::byte{9});
  PublicationReader reader;
  EXPECT_FALSE(reader.read(Rank{1}, tag_of(header), message));
  const auto publication = reader.read(Rank{1}, payload_tag_of(header), payload);
  ASSERT_TRUE(publication);
  const auto& [read, rest] = *publication;
  EXPECT_EQ(read.source, header.source);
  EXPECT_EQ(read.destination, header.destination);
  EXPECT_EQ(read.incarnation, 2u);
  EXPECT_EQ(read.generation, 70'000u);
  EXPECT_EQ(read.direction, 8u);
  EXPECT_EQ(rest, payload);
}

TEST(Protocol, a_payload_whose_header_was_given_up_is_dropped) {
  const PublicationHeader first{CellId{3}, CellId{9}, 0, 5, 1};
  const PublicationHeader second{CellId{3}, CellId{9}, 0, 6, 1};
  const auto head = [](const PublicationHeader& header) {
    return encode_publication_header(header, 1);
  };
  const Bytes payload(1, std::byte{42});
  PublicationReader reader;
  EXPECT_FALSE(reader.read(Rank{1}, payload_tag_of(first), payload));
  EXPECT_FALSE(reader.read(Rank{1}, tag_of(first), head(first)));
  EXPECT_FALSE(reader.read(Rank{1}, tag_of(second), head(second)));
  EXPECT_FALSE(reader.read(Rank{1}, payload_tag_of(first), payload));
  EXPECT_EQ(reader.read(Rank{1}, payload_tag_of(second), payload)->first.generation, 6u);
  EXPECT_FALSE(reader.read(Rank{1}, payload_tag_of(second), payload));
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
  for (const std::size_t n_bytes : {23, 25}) {
    EXPECT_THAT(error_of([&] { check_publication(Rank{4}, tag_of({}), n_bytes); }),
                AllOf(HasSubstr("24 bytes"), HasSubstr("rank 4"),
                      HasSubstr("found " + std::to_string(n_bytes))));
    EXPECT_THROW(static_cast<void>(decode_publication_header(Rank{4}, tag_of({}), Bytes(n_bytes))),
                 CommError);
  }

  PublicationHeader header{CellId{3}, CellId{9}, 0, 5, 2};
  const Bytes message = encode_publication_header(header, 0);
  const auto decode = [&](int tag) {
    static_cast<void>(decode_publication_header(Rank{4}, tag, message));
  };
  EXPECT_THAT(error_of([&] { decode(tag_of(header) + 1); }),
              AllOf(HasSubstr("cell 3"), HasSubstr("rank 4")));
  header.direction = kMaxDirections;
  EXPECT_THROW(static_cast<void>(encode_publication_header(header, 0)), CommError);
}

}  // namespace
}  // namespace lipizz::comm
