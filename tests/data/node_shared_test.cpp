#include "data/node_shared.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <set>
#include <string>

#include "data/support.hpp"
#include "support/smaps.hpp"

namespace lipizz::data::node_shared_test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kNBytes = std::size_t{4} << 20;

std::byte expected_at(std::size_t i) {
  return static_cast<std::byte>(i * 7 + (i >> 12));
}

void fill(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = expected_at(i);
}

bool is_filled(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != expected_at(i)) return false;
  }
  return bytes.size() == kNBytes;
}

std::set<std::string> shared_memory_names() {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    names.insert(entry.path().string());
  }
  return names;
}

/// Another process, and a pipe each way.
class Child {
 public:
  template <class Body>
  explicit Child(Body body) {
    EXPECT_EQ(::pipe(to_parent_.data()), 0);
    EXPECT_EQ(::pipe(to_child_.data()), 0);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::alarm(60);  // a safety net: never outlives a test that failed half-way
    body(*this);
    ::_exit(0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill();
    for (const int descriptor : {to_parent_[0], to_parent_[1], to_child_[0], to_child_[1]}) {
      ::close(descriptor);
    }
  }

  void tell_parent(std::span<const std::byte> bytes) const { send(to_parent_[1], bytes); }
  Bytes hear_child(std::size_t n_bytes) const { return receive(to_parent_[0], n_bytes); }
  void tell_child(std::span<const std::byte> bytes) const { send(to_child_[1], bytes); }
  Bytes hear_parent(std::size_t n_bytes) const { return receive(to_child_[0], n_bytes); }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  static void send(int descriptor, std::span<const std::byte> bytes) {
    if (::write(descriptor, bytes.data(), bytes.size()) != std::ssize(bytes)) ::abort();
  }
  static Bytes receive(int descriptor, std::size_t n_bytes) {
    Bytes bytes(n_bytes);
    if (::read(descriptor, bytes.data(), n_bytes) != std::ssize(bytes)) bytes.clear();
    return bytes;
  }

  std::array<int, 2> to_parent_{};
  std::array<int, 2> to_child_{};
  pid_t pid_ = -1;
};

constexpr std::array kYes{std::byte{1}};
constexpr std::array kNo{std::byte{0}};

/// A process that creates a region, tells its handle and then waits to be killed.
void create_and_wait(const Child& self) {
  const SharedRegion region = SharedRegion::create(kNBytes, fill);
  self.tell_parent(region.handle());
  self.hear_parent(1);
}

std::size_t handle_bytes() {
  return SharedRegion::create(1, [](auto) {}).handle().size();
}

TEST(SharedRegion, holds_what_was_filled_in) {
  const SharedRegion region = SharedRegion::create(kNBytes, fill);
  EXPECT_TRUE(is_filled(region.bytes()));
}

TEST(SharedRegion, another_process_maps_the_same_memory) {
  const SharedRegion region = SharedRegion::create(kNBytes, fill);
  const Child child([](const Child& self) {
    // The handle comes through the pipe: nothing inherited is used.
    const SharedRegion mapped = SharedRegion::open(self.hear_parent(handle_bytes()));
    self.tell_parent(is_filled(mapped.bytes()) ? kYes : kNo);
    self.hear_parent(1);
  });
  child.tell_child(region.handle());
  EXPECT_EQ(child.hear_child(1), Bytes{std::byte{1}});

  ASSERT_TRUE(is_filled(region.bytes()));
  const long resident_kb = std::stol(testing::smaps_field(region.bytes().data(), "Rss"));
  const long proportional_kb = std::stol(testing::smaps_field(region.bytes().data(), "Pss"));
  if (proportional_kb < 0) GTEST_SKIP() << "this kernel does not tell proportional sizes";
  EXPECT_EQ(resident_kb, static_cast<long>(kNBytes >> 10));
  EXPECT_LE(proportional_kb, resident_kb / 2);
}

TEST(SharedRegion, outlives_a_killed_creator_and_leaves_nothing_behind) {
  const std::set<std::string> names_before = shared_memory_names();
  Child creator(create_and_wait);
  const Bytes handle = creator.hear_child(handle_bytes());
  {
    const SharedRegion region = SharedRegion::open(handle);
    creator.kill();
    EXPECT_TRUE(is_filled(region.bytes()));
    EXPECT_TRUE(is_filled(SharedRegion::open(region.handle()).bytes()));
  }
  EXPECT_EQ(shared_memory_names(), names_before);
}

TEST(SharedRegion, a_creator_that_is_gone_is_told) {
  Child creator(create_and_wait);
  const Bytes handle = creator.hear_child(handle_bytes());
  creator.kill();
  EXPECT_THAT(data_error([&] { SharedRegion::open(handle); }), HasSubstr("cannot open"));
}

TEST(SharedRegion, another_file_under_the_same_number_is_not_taken_for_it) {
  auto first = std::make_unique<SharedRegion>(SharedRegion::create(kNBytes, fill));
  const Bytes handle = first->handle();
  first.reset();
  const SharedRegion second = SharedRegion::create(kNBytes, fill);
  const Bytes other = second.handle();
  ASSERT_TRUE(std::equal(other.begin(), other.begin() + 8, handle.begin()))
      << "the second region was expected to get the descriptor of the first";
  EXPECT_THAT(data_error([&] { SharedRegion::open(handle); }), HasSubstr("found another file"));
}

TEST(SharedRegion, a_handle_of_another_size_is_refused) {
  EXPECT_THAT(data_error([] { SharedRegion::open(Bytes(3)); }), HasSubstr("found 3"));
}

TEST(SharedRegion, cannot_be_changed_any_more) {
  const SharedRegion region = SharedRegion::create(kNBytes, fill);
  const Bytes handle = region.handle();
  ByteReader reader(handle, "a handle");
  reader.value<std::int32_t>();
  const auto descriptor = reader.value<std::int32_t>();
  EXPECT_EQ(::ftruncate(descriptor, 1), -1);
  EXPECT_EQ(::write(descriptor, "x", 1), -1);
  EXPECT_TRUE(is_filled(region.bytes()));
}

TEST(SharedRegion, frees_its_descriptor) {
  const auto n_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto n_before = n_descriptors();
  for (int i = 0; i < 10; ++i) {
    SharedRegion region = SharedRegion::create(4096, [](auto) {});
    const SharedRegion moved = std::move(region);
    EXPECT_THROW(SharedRegion::create(4096, [](auto) { throw DataError("no"); }), DataError);
  }
  EXPECT_EQ(n_descriptors(), n_before);
}

TEST(SharedRegion, too_much_memory_is_an_error_not_a_signal) {
  const Child child([](const Child& self) {
    // A limit on files stands in for a machine without memory.
    const rlimit limit{kNBytes / 2, kNBytes / 2};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    const std::string message = data_error([] { SharedRegion::create(kNBytes, fill); });
    self.tell_parent(message.starts_with("cannot reserve 4 MB") ? kYes : kNo);
  });
  EXPECT_EQ(child.hear_child(1), Bytes{std::byte{1}});
}

}  // namespace
}  // namespace lipizz::data::node_shared_test
