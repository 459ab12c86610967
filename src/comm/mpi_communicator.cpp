#include "comm/mpi_communicator.hpp"

#include <mpi.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "comm/waker.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

constexpr unsigned kSecondsToAbort = 10;

void check(int status, const char* call, std::string_view what) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw CommError(std::string(what) + ": " + call + " failed: " + text.data());
}

int count_of(std::span<const std::byte> bytes) {
  return static_cast<int>(bytes.size());  // Communicator has checked it against kMaxMessageBytes
}

// MPI reads and writes these while an operation runs.
struct Buffers {
  Bytes input;
  Bytes output;
  std::vector<int> counts;
  std::vector<int> displacements;
  std::shared_ptr<const void> shared;  // what keeps alive an input that is not only this one's
};

// Buffers of operations that were given up before they ended. MPI may still use them, so they stay
// until the last communicator is gone.
using Abandoned = std::vector<std::shared_ptr<const Buffers>>;

class MpiRequest final : public RequestImpl {
 public:
  MpiRequest(std::shared_ptr<Abandoned> abandoned, Buffers buffers, std::string_view what)
      : abandoned_(std::move(abandoned)),
        buffers_(std::make_shared<Buffers>(std::move(buffers))),
        what_(what) {}
  ~MpiRequest() override {
    if (handle_ != MPI_REQUEST_NULL) abandoned_->push_back(std::move(buffers_));
  }
  MpiRequest(const MpiRequest&) = delete;
  MpiRequest& operator=(const MpiRequest&) = delete;

  MPI_Request* handle() { return &handle_; }
  Buffers& buffers() { return *buffers_; }

  bool test() override {
    int is_complete = 0;
    check(MPI_Test(&handle_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test", what_);
    return is_complete != 0;
  }

  std::vector<Bytes> take() override {
    std::vector<Bytes> result;
    result.push_back(std::move(buffers_->output));
    return result;
  }

 private:
  std::shared_ptr<Abandoned> abandoned_;
  std::shared_ptr<Buffers> buffers_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  std::string what_;
};

// A communicator of MPI's that is given back when nobody uses it any more.
class Handle {
 public:
  explicit Handle(MPI_Comm comm) : comm_(comm) {
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
          "making a communicator");
  }
  ~Handle() {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized == 0) MPI_Comm_free(&comm_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_;
};

class MpiIncoming final : public IncomingImpl {
 public:
  MpiIncoming(std::shared_ptr<Abandoned> abandoned, MPI_Message message, int n_bytes)
      : abandoned_(std::move(abandoned)), message_(message), n_bytes_(n_bytes) {}

  std::unique_ptr<RequestImpl> receive(std::string_view what) override {
    Buffers buffers;
    buffers.output.resize(static_cast<std::size_t>(n_bytes_));
    auto request = std::make_unique<MpiRequest>(abandoned_, std::move(buffers), what);
    check(MPI_Imrecv(request->buffers().output.data(), n_bytes_, MPI_BYTE, &message_,
                     request->handle()),
          "MPI_Imrecv", what);
    return request;
  }

 private:
  std::shared_ptr<Abandoned> abandoned_;
  MPI_Message message_;
  int n_bytes_;
};

// Parts of different lengths need two steps: everybody learns all lengths, then the bytes travel.
class MpiGather final : public RequestImpl {
 public:
  static constexpr int kEverybody = -1;

  MpiGather(std::shared_ptr<Handle> comm, std::shared_ptr<Abandoned> abandoned, Bytes mine,
            int root, std::string_view what)
      : comm_(std::move(comm)),
        abandoned_(std::move(abandoned)),
        mine_(std::move(mine)),
        root_(root),
        what_(what) {
    int n_ranks = 0;
    check(MPI_Comm_rank(comm_->get(), &rank_), "MPI_Comm_rank", what_);
    check(MPI_Comm_size(comm_->get(), &n_ranks), "MPI_Comm_size", what_);
    Buffers buffers;
    buffers.displacements = {count_of(mine_)};
    buffers.counts.resize(static_cast<std::size_t>(n_ranks));
    lengths_ = std::make_unique<MpiRequest>(abandoned_, std::move(buffers), what_);
    check(MPI_Iallgather(lengths_->buffers().displacements.data(), 1, MPI_INT,
                         lengths_->buffers().counts.data(), 1, MPI_INT, comm_->get(),
                         lengths_->handle()),
          "MPI_Iallgather", what_);
  }

  bool test() override {
    if (data_ == nullptr) {
      if (!lengths_->test()) return false;
      begin_data();
    }
    return data_->test();
  }

  std::vector<Bytes> take() override {
    std::vector<Bytes> parts;
    if (!receives()) return parts;
    std::span<const std::byte> rest = data_->buffers().output;
    for (const int count : data_->buffers().counts) {
      const auto n = static_cast<std::size_t>(count);
      parts.push_back(copy_of(rest.first(n)));
      rest = rest.subspan(n);
    }
    return parts;
  }

 private:
  [[nodiscard]] bool receives() const { return root_ == kEverybody || root_ == rank_; }

  void begin_data() {
    Buffers buffers;
    buffers.input = std::move(mine_);
    buffers.counts = std::move(lengths_->buffers().counts);
    std::size_t n_bytes = 0;
    for (const int count : buffers.counts) {
      buffers.displacements.push_back(static_cast<int>(n_bytes));
      n_bytes += static_cast<std::size_t>(count);
      if (n_bytes > kMaxMessageBytes) {  // on every rank alike
        throw CommError(what_ + ": the parts of all ranks are together above the limit of " +
                        std::to_string(kMaxMessageBytes) + " bytes");
      }
    }
    if (receives()) buffers.output.resize(n_bytes);
    data_ = std::make_unique<MpiRequest>(abandoned_, std::move(buffers), what_);
    Buffers& b = data_->buffers();
    if (root_ == kEverybody) {
      check(MPI_Iallgatherv(b.input.data(), count_of(b.input), MPI_BYTE, b.output.data(),
                            b.counts.data(), b.displacements.data(), MPI_BYTE, comm_->get(),
                            data_->handle()),
            "MPI_Iallgatherv", what_);
    } else {
      check(MPI_Igatherv(b.input.data(), count_of(b.input), MPI_BYTE, b.output.data(),
                         b.counts.data(), b.displacements.data(), MPI_BYTE, root_, comm_->get(),
                         data_->handle()),
            "MPI_Igatherv", what_);
    }
  }

  std::shared_ptr<Handle> comm_;
  std::shared_ptr<Abandoned> abandoned_;
  Bytes mine_;
  int root_;
  int rank_ = 0;
  std::string what_;
  std::unique_ptr<MpiRequest> lengths_;
  std::unique_ptr<MpiRequest> data_;
};

class MpiComm final : public CommImpl {
 public:
  MpiComm(MPI_Comm comm, std::shared_ptr<Abandoned> abandoned)
      : comm_(std::make_shared<Handle>(comm)), abandoned_(std::move(abandoned)) {
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank", "making a communicator");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size", "making a communicator");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  Requested isend(int destination, int tag, Bytes payload, std::string_view what) override {
    auto request = begin(std::move(payload), {}, what);
    send(request->buffers().input, destination, tag, *request, what);
    return request;
  }

  Requested isend_shared(int destination, int tag, SharedBytes payload,
                         std::string_view what) override {
    auto request = begin({}, {}, what);
    request->buffers().shared = std::move(payload.owner);
    send(payload.bytes, destination, tag, *request, what);
    return request;
  }

  std::optional<Incoming> improbe(int source, int tag, std::string_view what) override {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(source == kAny ? MPI_ANY_SOURCE : source, tag == kAny ? MPI_ANY_TAG : tag,
                      comm_->get(), &is_there, &message, &status),
          "MPI_Improbe", what);
    if (is_there == 0) return std::nullopt;
    int n_bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &n_bytes), "MPI_Get_count", what);
    return Incoming{status.MPI_SOURCE, status.MPI_TAG, static_cast<std::size_t>(n_bytes),
                    std::make_unique<MpiIncoming>(abandoned_, message, n_bytes)};
  }

  Requested ibarrier(std::string_view what) override {
    auto request = begin({}, {}, what);
    check(MPI_Ibarrier(comm_->get(), request->handle()), "MPI_Ibarrier", what);
    return request;
  }

  Requested ibroadcast(Bytes bytes, int root, std::string_view what) override {
    auto request = begin({}, std::move(bytes), what);
    Bytes& output = request->buffers().output;
    check(MPI_Ibcast(output.data(), count_of(output), MPI_BYTE, root, comm_->get(),
                     request->handle()),
          "MPI_Ibcast", what);
    return request;
  }

  Requested igather(Bytes mine, int root, std::string_view what) override {
    return std::make_unique<MpiGather>(comm_, abandoned_, std::move(mine), root, what);
  }

  Requested iallgather(Bytes mine, std::string_view what) override {
    return igather(std::move(mine), MpiGather::kEverybody, what);
  }

  Made duplicate(std::string_view what) override {
    wait_for_all(what);
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_dup(comm_->get(), &made), "MPI_Comm_dup", what);
    return std::make_unique<MpiComm>(made, abandoned_);
  }

  Made split(int color, int key, std::string_view what) override {
    wait_for_all(what);
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split(comm_->get(), color < 0 ? MPI_UNDEFINED : color, key, &made),
          "MPI_Comm_split", what);
    if (made == MPI_COMM_NULL) return nullptr;
    return std::make_unique<MpiComm>(made, abandoned_);
  }

  Made cartesian(int rows, int columns, std::string_view what) override {
    wait_for_all(what);
    const std::array<int, 2> dimensions{rows, columns};
    const std::array<int, 2> is_periodic{1, 1};
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Cart_create(comm_->get(), 2, dimensions.data(), is_periodic.data(), 0, &made),
          "MPI_Cart_create", what);
    return std::make_unique<MpiComm>(made, abandoned_);
  }

  int rank_at(int row, int column, std::string_view what) const override {
    int topology = MPI_UNDEFINED;
    check(MPI_Topo_test(comm_->get(), &topology), "MPI_Topo_test", what);
    if (topology != MPI_CART) {
      throw CommError(std::string(what) + ": this communicator is not a torus");
    }
    const std::array<int, 2> place{row, column};
    int rank = MPI_PROC_NULL;
    check(MPI_Cart_rank(comm_->get(), place.data(), &rank), "MPI_Cart_rank", what);
    return rank;
  }

  void wait_for_activity(double max_s) override { waker_.wait(max_s); }
  void wake() override { waker_.wake(); }

  // Where the launcher cannot be reached any more, MPI_Abort may wait for it: the alarm does not.
  void abort(int exit_code) override {
    alarm(kSecondsToAbort);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
  }

 private:
  std::unique_ptr<MpiRequest> begin(Bytes input, Bytes output, std::string_view what) {
    Buffers buffers{std::move(input), std::move(output), {}, {}, {}};
    return std::make_unique<MpiRequest>(abandoned_, std::move(buffers), what);
  }

  void send(std::span<const std::byte> bytes, int destination, int tag, MpiRequest& request,
            std::string_view what) {
    check(MPI_Isend(bytes.data(), count_of(bytes), MPI_BYTE, destination, tag, comm_->get(),
                    request.handle()),
          "MPI_Isend", what);
  }

  // The calls that make communicators spin while a rank is late; this sleeps until all are here.
  void wait_for_all(std::string_view what) { Request(ibarrier(what)).wait(); }

  std::shared_ptr<Handle> comm_;
  std::shared_ptr<Abandoned> abandoned_;
  Waker waker_;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace

Communicator mpi_world() {
  constexpr auto kWhat = "making the world communicator";
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
        kWhat);
  MPI_Comm world = MPI_COMM_NULL;
  check(MPI_Comm_dup(MPI_COMM_WORLD, &world), "MPI_Comm_dup", kWhat);
  return Communicator(std::make_unique<MpiComm>(world, std::make_shared<Abandoned>()));
}

}  // namespace lipizz::comm
