#include "parallel/cell_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace lipizz::parallel {
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

// To where it may lie already.
void put(std::span<const std::byte> bytes, std::span<float> to) {
  if (!bytes.empty()) std::memmove(to.data(), bytes.data(), bytes.size());
}

// The sum so far, in which the first row stands for itself.
class Sum {
 public:
  explicit Sum(std::span<float> sum) : sum_(sum) {}

  void add(const float* row) {
    if (std::exchange(is_empty_, false)) {
      std::memmove(sum_.data(), row, sum_.size_bytes());
    } else {
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += row[i];
    }
  }

 private:
  std::span<float> sum_;
  bool is_empty_ = true;
};

}  // namespace

template <class Visit>
void CellCollectives::for_others(const Visit& visit) const {
  for (std::uint32_t other = 0; other < size(); ++other) {
    if (other != rank()) visit(RankInCell{other});
  }
}

template <class Visit>
void CellCollectives::for_pieces(const nn::Shard& shard, const Visit& visit) const {
  for (std::size_t first = shard.first; first < shard.end(); first += piece_) {
    visit(nn::Shard{first, std::min(piece_, shard.end() - first)});
  }
}

void CellCollectives::reduce_scatter(std::span<const float> rows, std::size_t n, std::size_t block,
                                     std::span<float> own) {
  for_others([&](RankInCell other) {
    for_pieces(nn::shard_of(n, other.value, size(), block), [&](const nn::Shard& piece) {
      link_.send(other, columns_of(rows, n, piece.first, piece.n));
    });
  });
  const nn::Shard shard = nn::shard_of(n, rank(), size(), block);
  for_pieces(shard, [&](const nn::Shard& piece) {
    add_up(rows, n, piece, own.subspan(piece.first - shard.first, piece.n));
  });
}

// Rows sent and received, or, once those that were received are added up, rows that a slow rank has
// not taken yet and what is handed on, sent and received.
std::size_t CellCollectives::bytes(std::size_t n_elements, std::size_t n_rows,
                                   std::size_t n_ranks) {
  const std::size_t n_at_once = std::max(2 * n_rows, n_rows + 2);
  return n_at_once * n_elements * (n_ranks - 1) / n_ranks * sizeof(float);
}

// The sum may lie on the first of this rank's rows: what is added to it is kept apart until then.
void CellCollectives::add_up(std::span<const float> rows, std::size_t n, const nn::Shard& piece,
                             std::span<float> sum) {
  std::vector<float> before(rank() == 0 ? 0 : piece.n);
  Sum total(rank() == 0 ? sum : std::span(before));
  for (std::uint32_t r = 0; r < size(); ++r) {
    if (r == rank()) {
      for (std::size_t row = 0; row < rows.size(); row += n) total.add(&rows[row + piece.first]);
      continue;
    }
    const Bytes message = link_.receive({r});
    const std::size_t n_bytes = piece.n * sizeof(float);
    if (message.empty() || message.size() % n_bytes != 0) fail("rows", n_bytes, message.size());
    for (std::size_t row = 0; row < message.size(); row += n_bytes) {
      total.add(reinterpret_cast<const float*>(&message[row]));
    }
  }
  std::ranges::copy(before, sum.begin());
}

void CellCollectives::all_gather(std::span<const float> own, std::span<float> all) {
  send_part(own);
  std::size_t end = 0;
  for (std::uint32_t r = 0; r < size(); ++r) {
    const std::span<float> left = all.subspan(end);
    if (r != rank()) {
      end += receive_part({r}, left);
      continue;
    }
    if (own.size() > left.size()) fail("parts", left.size_bytes(), own.size_bytes());
    put(std::as_bytes(own), left);
    end += own.size();
  }
  if (end != all.size()) fail("parts", all.size_bytes(), end * sizeof(float));
}

// A part ends with the first of its pieces that is not full.
void CellCollectives::send_part(std::span<const float> part) {
  for (std::size_t first = 0, n = piece_; n == piece_; first += n) {
    n = std::min(piece_, part.size() - first);
    for_others([&](RankInCell other) { link_.send(other, bytes_of(part.subspan(first, n))); });
  }
}

std::size_t CellCollectives::receive_part(RankInCell from, std::span<float> space) {
  std::size_t end = 0;
  for (std::size_t n = piece_; n == piece_; end += n) {
    const Bytes some = link_.receive(from);
    const std::size_t left = (space.size() - end) * sizeof(float);
    if (some.size() % sizeof(float) != 0 || some.size() > left) fail("parts", left, some.size());
    n = some.size() / sizeof(float);
    put(some, space.subspan(end));
  }
  return end;
}

void CellCollectives::scatter(std::span<const float> all, std::span<const nn::Shard> shards,
                              std::span<float> own) {
  if (rank() != 0) return receive(0, own);
  for_others([&](RankInCell other) {
    const nn::Shard& shard = shards[other.value];
    send(other.value, all.subspan(shard.first, shard.n));
  });
}

void CellCollectives::gather(std::span<const float> own, std::span<const nn::Shard> shards,
                             std::span<float> all) {
  if (rank() != 0) return send(0, own);
  for_others([&](RankInCell other) {
    const nn::Shard& shard = shards[other.value];
    receive(other.value, all.subspan(shard.first, shard.n));
  });
}

// Both know how many there are.
void CellCollectives::send(std::uint32_t to, std::span<const float> values) {
  for_pieces({0, values.size()}, [&](const nn::Shard& piece) {
    link_.send({to}, bytes_of(values.subspan(piece.first, piece.n)));
  });
}

void CellCollectives::receive(std::uint32_t from, std::span<float> values) {
  for_pieces({0, values.size()}, [&](const nn::Shard& piece) {
    const Bytes message = link_.receive({from});
    const std::size_t n_bytes = piece.n * sizeof(float);
    if (message.size() != n_bytes) fail("values", n_bytes, message.size());
    put(message, values.subspan(piece.first));
  });
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
