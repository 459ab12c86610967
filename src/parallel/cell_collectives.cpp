#include "parallel/cell_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::parallel {
namespace {

[[noreturn]] void fail(std::string_view what, std::size_t expected, std::size_t found) {
  throw CommError(std::string(what) + " between the ranks of a cell: expected " +
                  std::to_string(expected) + " bytes, found " + std::to_string(found) +
                  "; are all ranks of the same build?");
}

// With room for what a link and the messages below it append.
Bytes message_with_room(std::size_t n_bytes) {
  Bytes message;
  message.reserve(n_bytes + ByteWriter::kRoomBehind);
  return message;
}

Bytes message_of(std::span<const std::byte> bytes) {
  Bytes message = message_with_room(bytes.size());
  append(message, bytes);
  return message;
}

Bytes bytes_of(std::span<const float> values) {
  return message_of(std::as_bytes(values));
}

// Columns of rows of n.
Bytes columns_of(std::span<const float> rows, std::size_t n, std::size_t first, std::size_t width) {
  Bytes message = message_with_room(rows.size() / n * width * sizeof(float));
  for (std::size_t row = 0; row < rows.size(); row += n) {
    append(message, std::as_bytes(rows.subspan(row + first, width)));
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

void CellCollectives::reduce_scatter(std::span<const float> rows, const nn::Shard& range,
                                     std::size_t block, std::span<float> own) {
  link_.begin_collective("a reduce-scatter");
  // Columns of the rows.
  const auto shard_of = [&](std::uint32_t rank) {
    const nn::Shard shard = nn::shard_of(range, rank, size(), block);
    return nn::Shard{shard.first - range.first, shard.n};
  };
  for_others([&](RankInCell other) {
    nn::for_pieces(shard_of(other.value), piece_, [&](const nn::Shard& piece) {
      link_.send(other, columns_of(rows, range.n, piece.first, piece.n));
    });
  });
  const nn::Shard shard = shard_of(rank());
  nn::for_pieces(shard, piece_, [&](const nn::Shard& piece) {
    add_up(rows, range.n, piece, own.subspan(piece.first - shard.first, piece.n));
  });
}

// Rows sent and received, or, once those that were received are added up, rows that a slow rank has
// not taken yet and what is handed on, sent and received.
std::size_t CellCollectives::bytes(std::size_t n_elements, std::size_t n_rows,
                                   std::size_t n_ranks) {
  const std::size_t n_at_once = std::max(2 * n_rows, n_rows + 2);
  return n_at_once * n_elements * (n_ranks - 1) / n_ranks * sizeof(float);
}

// The first rows of all ranks, then the second ones. The sum may lie on the first of this rank's
// rows: what is added to it is kept apart until then.
void CellCollectives::add_up(std::span<const float> rows, std::size_t n, const nn::Shard& piece,
                             std::span<float> sum) {
  const std::size_t n_bytes = piece.n * sizeof(float);
  std::vector<Bytes> others(size());
  std::size_t n_rows = rows.size() / n;
  for_others([&](RankInCell other) {
    Bytes& message = others[other.value] = next(other);
    if (message.empty() || message.size() % n_bytes != 0) fail("rows", n_bytes, message.size());
    n_rows = std::max(n_rows, message.size() / n_bytes);
  });
  std::vector<float> apart(rank() == 0 ? 0 : piece.n);
  Sum total(rank() == 0 ? sum : std::span(apart));
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::uint32_t r = 0; r < size(); ++r) {
      if (r == rank()) {
        if (row * n < rows.size()) total.add(&rows[row * n + piece.first]);
      } else if (row * n_bytes < others[r].size()) {
        total.add(reinterpret_cast<const float*>(&others[r][row * n_bytes]));
      }
    }
  }
  std::ranges::copy(apart, sum.begin());
}

void CellCollectives::all_gather(std::span<const float> own, std::span<float> all) {
  link_.begin_collective("an all-gather");
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
    const Bytes some = next(from);
    const std::size_t left = (space.size() - end) * sizeof(float);
    if (some.size() % sizeof(float) != 0 || some.size() > left) fail("parts", left, some.size());
    n = some.size() / sizeof(float);
    put(some, space.subspan(end));
  }
  return end;
}

void CellCollectives::scatter(std::span<const float> all, std::span<const nn::Shard> shards,
                              std::span<float> own) {
  link_.begin_collective("a scatter");
  if (rank() != 0) return receive_values(0, own);
  for_others([&](RankInCell other) {
    const nn::Shard& shard = shards[other.value];
    send(other.value, all.subspan(shard.first, shard.n));
  });
}

void CellCollectives::gather(std::span<const float> own, std::span<const nn::Shard> shards,
                             std::span<float> all) {
  link_.begin_collective("a gather");
  if (rank() != 0) return send(0, own);
  for_others([&](RankInCell other) {
    const nn::Shard& shard = shards[other.value];
    receive_values(other.value, all.subspan(shard.first, shard.n));
  });
}

// Both know how many there are.
void CellCollectives::send(std::uint32_t to, std::span<const float> values) {
  nn::for_pieces({0, values.size()}, piece_, [&](const nn::Shard& piece) {
    link_.send({to}, bytes_of(values.subspan(piece.first, piece.n)));
  });
}

void CellCollectives::receive(std::uint32_t from, std::span<float> values) {
  link_.begin_collective("a transfer");
  receive_values(from, values);
}

void CellCollectives::receive_values(std::uint32_t from, std::span<float> values) {
  receive_pieces(values, [&] { return next({from}); });
}

template <class Next>
void CellCollectives::receive_pieces(std::span<float> values, const Next& next) {
  nn::for_pieces({0, values.size()}, piece_, [&](const nn::Shard& piece) {
    const Bytes message = next();
    const std::size_t n_bytes = piece.n * sizeof(float);
    if (message.size() != n_bytes) fail("values", n_bytes, message.size());
    put(message, values.subspan(piece.first));
  });
}

void CellCollectives::expect(std::uint32_t from, std::size_t n) {
  expected({from}).n_under_way += (n + piece_ - 1) / piece_;
}

void CellCollectives::receive_expected(std::uint32_t from, std::span<float> values) {
  link_.begin_collective("a transfer");
  receive_pieces(values, [&] { return next_expected({from}); });
}

CellCollectives::Expected& CellCollectives::expected(RankInCell from) {
  if (from.value >= expected_.size()) expected_.resize(from.value + 1);
  return expected_[from.value];
}

// Messages that are expected have been sent before this one.
Bytes CellCollectives::next(RankInCell from) {
  Expected& before = expected(from);
  for (; before.n_under_way > 0; --before.n_under_way) before.here.push_back(link_.receive(from));
  return link_.receive(from);
}

Bytes CellCollectives::next_expected(RankInCell from) {
  Expected& all = expected(from);
  if (all.here.empty()) {
    LIPIZZ_ASSERT(all.n_under_way > 0);
    --all.n_under_way;
    return link_.receive(from);
  }
  Bytes message = std::move(all.here.front());
  all.here.pop_front();
  return message;
}

void CellCollectives::broadcast(Bytes& bytes) {
  link_.begin_collective("a broadcast");
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
  const Bytes length = next({0});
  ByteReader head(length, "a broadcast between the ranks of a cell");
  const auto n = head.value<std::uint64_t>();
  head.expect_end();
  bytes.clear();
  while (bytes.size() < n) {
    const Bytes some = next({0});
    const std::size_t expected = std::min<std::uint64_t>(piece, n - bytes.size());
    if (some.size() != expected) fail("a broadcast", expected, some.size());
    append(bytes, some);
  }
}

}  // namespace lipizz::parallel
