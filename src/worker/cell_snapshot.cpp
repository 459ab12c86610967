#include "worker/cell_snapshot.hpp"

#include <utility>

#include "core/atomic_file.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker {

CellSnapshot::CellSnapshot(std::shared_ptr<const coev::Settings> settings, coev::CellState state,
                           checkpoint::CellOrigin origin)
    : content_(OwnCell{std::move(settings), std::move(state), std::move(origin)}) {}

CellSnapshot::CellSnapshot(Bytes bytes) : content_(std::move(bytes)) {}

Bytes CellSnapshot::bytes() const {
  if (const auto* bytes = std::get_if<Bytes>(&content_)) return copy_of(*bytes);
  const auto& [settings, state, origin] = std::get<OwnCell>(content_);
  return encode_cell(*settings, state, origin);
}

void CellSnapshot::write(const std::filesystem::path& path) const {
  if (const auto* bytes = std::get_if<Bytes>(&content_)) return write_atomically(path, *bytes);
  const auto& [settings, state, origin] = std::get<OwnCell>(content_);
  write_cell(path, *settings, state, origin);
}

}  // namespace lipizz::worker
