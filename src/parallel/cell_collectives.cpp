#include "parallel/cell_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace lipizz::parallel {

// Some of the elements.
struct CellCollectives::Part {
  std::size_t first, n;
};

namespace {

[[noreturn]] void fail(std::string_view what, std::size_t expected, std::size_t found) {
  throw CommError(std::string(what) + " between the ranks of a cell: expected " +
                  std::to_string(expected) + " bytes, found " + std::to_string(found) +
                  "; are all ranks of the same build?");
}

// With room for what a link and the messages below it append.
Bytes message_of(std::size_t n_bytes) {
  constexpr std::size_t kMostAppended = 64;
  Bytes message;
  message.reserve(n_bytes + kMostAppended);
  message.resize(n_bytes);
  return message;
}

Bytes message_of(std::span<const std::byte> bytes) {
  Bytes message = message_of(bytes.size());
  std::ranges::copy(bytes, message.begin());
  return message;
}

Bytes bytes_of(std::span<const float> values) {
  return message_of(std::as_bytes(values));
}

// Columns of rows of n.
Bytes columns_of(std::span<const float> rows, std::size_t n, std::size_t first, std::size_t width) {
  Bytes message = message_of(rows.size() / n * width * sizeof(float));
  std::byte* to = message.data();
  for (std::size_t row = 0; row < rows.size(); row += n, to += width * sizeof(float)) {
    std::memcpy(to, &rows[row + first], width * sizeof(float));
  }
  return message;
}

// The sum so far, in which the first row stands for itself.
class Sum {
 public:
  explicit Sum(std::size_t n) : bytes_(n * sizeof(float)), n_(n) {}

  void add(const float* row) {
    auto* const sum = reinterpret_cast<float*>(bytes_.data());
    if (std::exchange(is_empty_, false)) {
      std::memcpy(sum, row, bytes_.size());
    } else {
      for (std::size_t i = 0; i < n_; ++i) sum[i] += row[i];
    }
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
  std::size_t n_;
  bool is_empty_ = true;
};

}  // namespace

template <class Visit>
void CellCollectives::for_others(const Visit& visit) const {
  for (std::uint32_t other = 0; other < size(); ++other) {
    if (other != rank()) visit(RankInCell{other});
  }
}

// The elements, of n, that a rank adds up.
template <class Visit>
void CellCollectives::for_pieces(std::uint32_t rank, std::size_t n, const Visit& visit) const {
  const std::size_t end = n * (rank + 1) / size();
  for (std::size_t first = n * rank / size(); first < end; first += piece_) {
    visit(Part{first, std::min(piece_, end - first)});
  }
}

void CellCollectives::all_reduce(std::span<const float> rows, std::span<float> sum) {
  const std::size_t n = sum.size();
  for_others([&](RankInCell other) {
    for_pieces(other.value, n, [&](const Part& part) {
      link_.send(other, columns_of(rows, n, part.first, part.n));
    });
  });
  for_pieces(rank(), n, [&](const Part& part) {
    const Bytes done = added_up(rows, n, part);
    std::memcpy(&sum[part.first], done.data(), done.size());
    for_others([&](RankInCell other) { link_.send(other, message_of(done)); });
  });
  for_others([&](RankInCell other) {
    for_pieces(other.value, n, [&](const Part& part) {
      const Bytes done = link_.receive(other);
      const std::size_t n_bytes = part.n * sizeof(float);
      if (done.size() != n_bytes) fail("a sum", n_bytes, done.size());
      std::memcpy(&sum[part.first], done.data(), n_bytes);
    });
  });
}

// Rows and sums, sent and received.
std::size_t CellCollectives::bytes(std::size_t n_elements, std::size_t n_rows,
                                   std::size_t n_ranks) {
  return 2 * (n_rows + 1) * n_elements * (n_ranks - 1) / n_ranks * sizeof(float);
}

Bytes CellCollectives::added_up(std::span<const float> rows, std::size_t n, const Part& part) {
  Sum sum(part.n);
  for (std::uint32_t r = 0; r < size(); ++r) {
    if (r == rank()) {
      for (std::size_t row = 0; row < rows.size(); row += n) sum.add(&rows[row + part.first]);
      continue;
    }
    const Bytes message = link_.receive({r});
    const std::size_t n_bytes = part.n * sizeof(float);
    if (message.empty() || message.size() % n_bytes != 0) fail("rows", n_bytes, message.size());
    for (std::size_t row = 0; row < message.size(); row += n_bytes) {
      sum.add(reinterpret_cast<const float*>(&message[row]));
    }
  }
  return sum.take();
}

void CellCollectives::all_gather(std::span<const float> own, std::span<float> all) {
  for_others([&](RankInCell other) { link_.send(other, bytes_of(own)); });
  std::size_t end = 0;
  for (std::uint32_t r = 0; r < size(); ++r) {
    const Bytes part = r == rank() ? bytes_of(own) : link_.receive({r});
    const std::size_t left = (all.size() - end) * sizeof(float);
    if (part.size() % sizeof(float) != 0 || part.size() > left) fail("parts", left, part.size());
    std::memcpy(all.data() + end, part.data(), part.size());
    end += part.size() / sizeof(float);
  }
  if (end != all.size()) fail("parts", all.size_bytes(), end * sizeof(float));
}

void CellCollectives::broadcast(Bytes& bytes) {
  const std::size_t piece = piece_ * sizeof(float);
  if (rank() == 0) {
    ByteWriter head;
    head.value(static_cast<std::uint64_t>(bytes.size()));
    const Bytes length = head.take();
    for_others([&](RankInCell other) { link_.send(other, length); });
    for (std::size_t first = 0; first < bytes.size(); first += piece) {
      const auto some = std::span(bytes).subspan(first, std::min(piece, bytes.size() - first));
      for_others([&](RankInCell other) { link_.send(other, message_of(some)); });
    }
    return;
  }
  const Bytes length = link_.receive({0});
  ByteReader head(length, "a broadcast between the ranks of a cell");
  const auto n = head.value<std::uint64_t>();
  head.expect_end();
  bytes.clear();
  while (bytes.size() < n) {
    const Bytes some = link_.receive({0});
    const std::size_t expected = std::min<std::uint64_t>(piece, n - bytes.size());
    if (some.size() != expected) fail("a broadcast", expected, some.size());
    bytes.insert(bytes.end(), some.begin(), some.end());
  }
}

}  // namespace lipizz::parallel
