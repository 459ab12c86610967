#include "app/patient_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace lipizz::app::patient_output_test {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_reader();
    close(ends_[1]);
  }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_reader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }
  // So many bytes, which have to be there.
  std::string read(std::size_t n) {
    std::string text(n, ' ');
    for (std::size_t at = 0; at < n;) {
      const ssize_t some = ::read(ends_[0], text.data() + at, n - at);
      if (some <= 0) break;
      at += static_cast<std::size_t>(some);
    }
    return text;
  }
  // As much as a pipe holds.
  [[nodiscard]] std::size_t room() const {
    return static_cast<std::size_t>(fcntl(ends_[1], F_GETPIPE_SZ));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

TEST(PatientOutput, what_is_not_taken_comes_later) {
  Pipe pipe;
  PatientOutput output(pipe.writer());
  const std::string much(pipe.room(), 'x');
  output.write(much);
  EXPECT_TRUE(output.is_empty());
  output.write("kept\n");
  EXPECT_FALSE(output.is_empty());
  EXPECT_EQ(pipe.read(much.size()), much);
  output.write({});
  EXPECT_TRUE(output.is_empty());
  EXPECT_EQ(pipe.read(5), "kept\n");
}

TEST(PatientOutput, says_how_much_it_had_to_leave_out) {
  Pipe pipe;
  PatientOutput output(pipe.writer());
  const std::string line = std::string(1023, 'x') + "\n";
  const std::size_t n_taken = pipe.room() / line.size() + (1 << 20) / line.size();
  for (std::size_t i = 0; i < n_taken + 3; ++i) output.write(line);
  for (std::size_t i = 0; i < n_taken; ++i) {
    EXPECT_EQ(pipe.read(line.size()), line);
    output.write({});
  }
  const std::string note = "(3 lines were not shown: nobody read them)\n";
  EXPECT_EQ(pipe.read(note.size()), note);
}

TEST(PatientOutput, writes_no_more_where_nobody_reads) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  PatientOutput output(pipe.writer());
  pipe.close_reader();
  output.write("a");
  output.write("b");
  EXPECT_EQ(fcntl(pipe.writer(), F_GETFL) & O_NONBLOCK, 0)
      << "the descriptor itself stays as it is";
  std::signal(SIGPIPE, before);
}

TEST(PatientOutput, goes_on_behind_the_text_of_a_file) {
  const TemporaryFolder folder;
  const auto path = folder / "out";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(file, "one\n", 4), 4);
  PatientOutput(file).write("two\n");
  ASSERT_EQ(write(file, "three\n", 6), 6);
  close(file);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace lipizz::app::patient_output_test
