#include "data/hdf5_library.hpp"

#include <hdf5.h>

#include <algorithm>

namespace lipizz::data {
namespace {

// The library's own lock, where it has one at all, covers single calls.
std::mutex& process_mutex() {
  static std::mutex mutex;
  return mutex;
}

struct Walk {
  Hdf5Listing listing;
  std::size_t n_seen = 0;
};

herr_t visit(Walk& walk, const std::string& name, bool is_dataset) {
  constexpr std::size_t kMostObjects = 10'000;
  constexpr std::ptrdiff_t kMostDepth = 8;
  if (++walk.n_seen > kMostObjects || std::ranges::count(name, '/') >= kMostDepth) {
    walk.listing.is_complete = false;
    return 1;  // no further
  }
  if (is_dataset) walk.listing.names.push_back(name);
  return 0;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(process_mutex()) {
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // each thread has its own
  H5PLset_loading_state(0);
}

std::string Hdf5Lock::reason() const {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* place) -> herr_t {
        if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(place) = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "unknown reason" : text;
}

Hdf5Id::~Hdf5Id() {
  if (id_ >= 0) H5Idec_ref(id_);
}

std::optional<Hdf5Listing> list_datasets(const Hdf5Id& file) {
  Walk walk;
  // It follows hard links alone, and enters no object twice.
  const herr_t result = H5Ovisit2(
      file.get(), H5_INDEX_NAME, H5_ITER_INC,
      [](hid_t, const char* name, const auto* info, void* place) -> herr_t {
        return visit(*static_cast<Walk*>(place), name, info->type == H5O_TYPE_DATASET);
      },
      &walk, H5O_INFO_BASIC);
  if (result < 0) return std::nullopt;
  return walk.listing;
}

}  // namespace lipizz::data
