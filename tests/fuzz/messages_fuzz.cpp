// All messages between ranks: the first byte chooses the reader. A message that is taken is written
// again, and that is taken and written to the same bytes.
#include <array>

#include "comm/authentication.hpp"
#include "comm/messages.hpp"
#include "comm/protocol.hpp"
#include "comm/setup_messages.hpp"
#include "core/error.hpp"
#include "fuzz.hpp"
#include "telemetry/log_line.hpp"

namespace {

using namespace lipizz;
using Input = std::span<const std::byte>;

template <class Payload>
void read(Input input) {
  const Bytes written = Payload::decode(Bytes(input.begin(), input.end())).encode();
  if (Payload::decode(written).encode() != written) std::abort();
}

void read_log_line(Input input) {
  const Bytes written = encode(telemetry::decode_log_line(input));
  if (encode(telemetry::decode_log_line(written)) != written) std::abort();
}

void read_publication(Input input) {
  const int low = input.empty() ? 0 : static_cast<int>(input.back());
  const int tag = comm::tag_of({}) + low;
  comm::PublicationReader reader;
  reader.read_head({1}, tag, input);
}

void open_protected(Input input) {
  const comm::Route route{comm::Scope::kWorld, {1}, kMaster, 4};
  comm::Authenticator authenticator({});
  if (!authenticator.open(route, {input.begin(), input.end()})) throw CommError("a stranger's");
}

constexpr std::array kReaders{
    read<comm::Status>,        read<comm::Metrics>,
    read<comm::CellResult>,    read<comm::Task>,
    read<comm::TaskDone>,      read<comm::Failure>,
    read<comm::Stop>,          read<comm::Directive>,
    read<comm::Flushed>,       read<comm::Lost>,
    read<comm::Saved>,         read<comm::CellSamples>,
    read<comm::RunPlan>,       read_log_line,
    read_publication,          read<comm::InventoryEntry>,
    read<comm::Assignment>,    read<comm::SharedResource>,
    read<comm::Begun>,         read<comm::Held>,
    read<comm::CellCopy>,      read<comm::Stable>,
    read<comm::TrafficReport>, open_protected,
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  if (n_bytes == 0) return 0;
  const Input input = fuzz::bytes(data + 1, n_bytes - 1);
  fuzz::accepts([&] { kReaders[data[0] % kReaders.size()](input); });
  return 0;
}
