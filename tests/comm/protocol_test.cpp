#include "comm/protocol.hpp"

#include <gmock/gmock.h>

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
  EXPECT_EQ(static_cast<int>(MessageKind::kTiles), 11);
  EXPECT_EQ(static_cast<int>(MessageKind::kCourse), 12);
  EXPECT_EQ(static_cast<int>(MessageKind::kHolding), 13);
  EXPECT_EQ(static_cast<int>(MessageKind::kSaved), 14);
  EXPECT_EQ(static_cast<int>(MessageKind::kMaterial), 15);
  EXPECT_EQ(static_cast<int>(MessageKind::kBegun), 16);
  EXPECT_EQ(static_cast<int>(MessageKind::kCopy), 17);
  EXPECT_EQ(static_cast<int>(MessageKind::kHeld), 18);
  EXPECT_EQ(static_cast<int>(MessageKind::kSafe), 19);
  EXPECT_EQ(static_cast<int>(MessageKind::kGenome), 20);
}

TEST(Protocol, every_control_tag_is_known_and_no_other) {
  const auto genome = static_cast<int>(MessageKind::kGenome);
  for (int tag = 1; tag < genome; ++tag) {
    EXPECT_EQ(static_cast<int>(check_control(Rank{1}, tag, 0)), tag);
    EXPECT_FALSE(name_of(static_cast<MessageKind>(tag)).empty());
  }
  for (const int tag : {-1, 0, genome, genome + 1, 65536 + 1}) {
    EXPECT_THAT(error_of([&] { static_cast<void>(check_control(Rank{7}, tag, 0)); }),
                AllOf(HasSubstr("rank 7"), HasSubstr("tag " + std::to_string(tag))));
  }
}

TEST(Protocol, a_payload_above_its_limit_is_refused_both_ways) {
  const auto ping = static_cast<int>(MessageKind::kPing);
  EXPECT_EQ(check_control(Rank{1}, ping, 65536), MessageKind::kPing);
  EXPECT_THAT(error_of([&] { static_cast<void>(check_control(Rank{1}, ping, 65537)); }),
              AllOf(HasSubstr("ping"), HasSubstr("65537"), HasSubstr("65536")));
  EXPECT_THROW(check_payload(MessageKind::kGenome, (std::size_t{1} << 30) + 1), CommError);
  EXPECT_THROW(check_publication(Rank{1}, (std::size_t{1} << 30) + 25), CommError);
  EXPECT_NO_THROW(check_publication(Rank{1}, (std::size_t{1} << 30) + 24));
}

TEST(Protocol, a_whole_state_has_as_much_room_as_a_publication) {
  for (const MessageKind kind : {MessageKind::kCopy, MessageKind::kMaterial}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kGenome));
  }
  for (const MessageKind kind : {MessageKind::kBegun, MessageKind::kHeld, MessageKind::kSafe}) {
    EXPECT_EQ(max_payload_bytes(kind), max_payload_bytes(MessageKind::kPing)) << "a few numbers";
  }
}

TEST(Protocol, a_publication_survives_the_wire) {
  const PublicationHeader header{CellId{3}, CellId{9}, 2, 70'000, 8};
  const Bytes payload(5, std::byte{42});
  const Bytes message = encode_publication(header, payload);
  EXPECT_EQ(message.size(), 24u + 5u);
  EXPECT_EQ(message[0], std::byte{3});  // the source comes first, little-endian
  EXPECT_EQ(message[4], std::byte{9});
  const auto [read, rest] = decode_publication(Rank{1}, tag_of(header), message);
  EXPECT_EQ(read.source, header.source);
  EXPECT_EQ(read.destination, header.destination);
  EXPECT_EQ(read.incarnation, 2u);
  EXPECT_EQ(read.generation, 70'000u);
  EXPECT_EQ(read.direction, 8u);
  EXPECT_EQ(rest, payload);
}

TEST(Protocol, tags_tell_directions_and_generations_apart) {
  std::set<int> tags;
  for (Generation generation = 100'000; generation < 102'048; ++generation) {
    for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
      tags.insert(tag_of(
          {.source = {}, .destination = {}, .generation = generation, .direction = direction}));
    }
  }
  EXPECT_EQ(tags.size(), 2048u * 16u);
  EXPECT_EQ(*tags.begin(), 0);
  EXPECT_EQ(*tags.rbegin(), 32767);  // what MPI guarantees
}

TEST(Protocol, a_malformed_publication_is_refused) {
  EXPECT_THAT(error_of([] { check_publication(Rank{4}, 23); }),
              AllOf(HasSubstr("at least 24 bytes"), HasSubstr("rank 4"), HasSubstr("found 23")));
  EXPECT_THROW(static_cast<void>(decode_publication(Rank{4}, 0, Bytes(23))), CommError);

  PublicationHeader header{CellId{3}, CellId{9}, 0, 5, 2};
  const Bytes message = encode_publication(header, {});
  const auto decode = [&](int tag) {
    static_cast<void>(decode_publication(Rank{4}, tag, message));
  };
  EXPECT_THAT(error_of([&] { decode(tag_of(header) + 1); }),
              AllOf(HasSubstr("cell 3"), HasSubstr("rank 4")));
  header.direction = kMaxDirections;
  EXPECT_THROW(static_cast<void>(encode_publication(header, {})), CommError);
}

}  // namespace
}  // namespace lipizz::comm
