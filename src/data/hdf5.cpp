#include "data/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/hdf5_library.hpp"
#include "data/opened_file.hpp"

namespace lipizz::data {
namespace {

constexpr std::size_t kLeastDimensions = 2;
constexpr std::size_t kMostDimensions = 4;
constexpr std::size_t kCacheBytes = std::size_t{32} << 20;  // the default, 1 MiB, holds few chunks
constexpr std::size_t kCacheSlots = 10'007;                 // a prime, some 100 times as many
constexpr std::uint64_t kMostChunkBytes = std::uint64_t{128} << 20;

// The library looks for this at the beginning, and at 512 bytes and its doubles.
bool has_signature(const OpenedFile& file) {
  constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  for (std::uint64_t place = 0; place + kSignature.size() <= file.n_bytes();
       place = place == 0 ? 512 : 2 * place) {
    std::array<std::uint8_t, kSignature.size()> found{};
    file.read(place, std::as_writable_bytes(std::span(found)));
    if (found == kSignature) return true;
  }
  return false;
}

Hdf5Id access_to_files() {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_sec2(access.get());
  H5Pset_file_locking(access.get(), 0, 1);  // not all file systems can lock
  return access;
}

Hdf5Id access_to_datasets() {
  Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), kCacheSlots, kCacheBytes, H5D_CHUNK_CACHE_W0_DEFAULT);
  H5Pset_elink_cb(
      access.get(),
      [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
        return -1;  // no link to another file is followed
      },
      nullptr);
  return access;
}

std::string describe(const Hdf5Listing& listing) {
  constexpr std::size_t kMostShown = 20;
  if (listing.names.empty()) return "it has none";
  const std::size_t n = std::min(listing.names.size(), kMostShown);
  const bool is_all = n == listing.names.size() && listing.is_complete;
  return "it has " + join(std::span(listing.names).first(n)) + (is_all ? "" : ", and more");
}

std::optional<ElementType> element_type(const Hdf5Id& type) {
  const auto is_any = [&](hid_t a, hid_t b) {
    return H5Tequal(type.get(), a) > 0 || H5Tequal(type.get(), b) > 0;
  };
  if (is_any(H5T_STD_U8LE, H5T_STD_U8BE)) return ElementType::kUint8;
  if (is_any(H5T_IEEE_F32LE, H5T_IEEE_F32BE)) return ElementType::kFloat32;
  if (is_any(H5T_IEEE_F64LE, H5T_IEEE_F64BE)) return ElementType::kFloat64;
  return std::nullopt;
}

std::string describe_type(const Hdf5Id& type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type.get()));
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      return (H5Tget_sign(type.get()) == H5T_SGN_NONE ? "unsigned " : "signed ") + bits +
             "-bit integers";
    case H5T_FLOAT:
      return bits + "-bit floats of another format";
    case H5T_STRING:
      return "strings";
    case H5T_COMPOUND:
      return "records";
    default:
      return "another type";
  }
}

bool is_allowed(H5Z_filter_t filter) {
  return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
         filter == H5Z_FILTER_FLETCHER32;
}

/// The reason not to read a dataset of this creation, from the way that it is stored; empty where
/// there is none.
std::string describe_storage(const Hdf5Id& creation) {
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_VIRTUAL) return "expected data in the file itself, found a virtual dataset";
  if (layout < 0) return "it has no layout";
  if (H5Pget_external_count(creation.get()) != 0) {
    return "expected data in the file itself, found it in others";
  }
  const int n_filters = H5Pget_nfilters(creation.get());
  for (int i = 0; i < n_filters; ++i) {
    std::array<char, 64> name{};
    std::array<unsigned, 8> values{};
    std::size_t n_values = values.size();
    unsigned flags = 0;
    unsigned config = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &n_values, values.data(),
                       name.size() - 1, name.data(), &config);
    if (is_allowed(filter)) continue;
    return "expected compression by gzip or none, found filter " + std::to_string(filter) + " (" +
           shortened(name.data()) + ")";
  }
  return n_filters < 0 ? "its filters cannot be read" : "";
}

/// The shape of a dataset; empty where it has another number of dimensions than can be read.
std::vector<std::uint64_t> shape_of(const Hdf5Id& space) {
  const int n = H5Sget_simple_extent_ndims(space.get());
  if (n < static_cast<int>(kLeastDimensions) || n > static_cast<int>(kMostDimensions)) return {};
  std::array<hsize_t, kMostDimensions> sizes{};
  H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.begin() + n};
}

}  // namespace

class Hdf5File::Opened {
 public:
  Opened(const std::filesystem::path& path, std::string name)
      : file_(path), name_(std::move(name)) {
    if (!has_signature(file_)) file_.fail("expected an HDF5 file, found something else");
    const Hdf5Lock lock;
    const Hdf5Id file_access = access_to_files();
    Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access.get()));
    if (!file.is_valid()) file_.fail("no good HDF5 file: " + lock.reason());
    if (name_.empty()) find_dataset(file, lock);
    const Hdf5Id access = access_to_datasets();
    Hdf5Id dataset(H5Dopen2(file.get(), name_.c_str(), access.get()));
    if (!dataset.is_valid()) {
      const std::string reason = lock.reason();
      const auto listing = list_datasets(file);
      fail("it cannot be opened: " + reason +
           (listing ? "; of datasets " + describe(*listing) : ""));
    }
    check(dataset, lock);
    file_.expect_unchanged();
    hdf5_file_ = std::move(file);
    dataset_ = std::move(dataset);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    const Hdf5Lock lock;
    dataset_ = Hdf5Id();
    hdf5_file_ = Hdf5Id();
  }

  [[nodiscard]] const ArrayLayout& layout() const { return layout_; }
  [[nodiscard]] const OpenedFile& file() const { return file_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  void read(std::uint64_t first_row, std::size_t n_values, hid_t type, void* out) const {
    const std::uint64_t n_rows = n_values / layout_.row_size();
    LIPIZZ_ASSERT(n_rows * layout_.row_size() == n_values && first_row <= layout_.n_rows() &&
                  n_rows <= layout_.n_rows() - first_row);
    if (n_rows == 0) return;
    const Hdf5Lock lock;
    std::array<hsize_t, kMostDimensions> start{first_row};
    std::array<hsize_t, kMostDimensions> count{};
    std::ranges::copy(layout_.shape, count.begin());
    count[0] = n_rows;
    const Hdf5Id from(H5Dget_space(dataset_.get()));
    const Hdf5Id to(
        H5Screate_simple(static_cast<int>(layout_.shape.size()), count.data(), nullptr));
    if (H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr) < 0 ||
        H5Dread(dataset_.get(), type, to.get(), from.get(), H5P_DEFAULT, out) < 0) {
      const std::string reason = lock.reason();
      file_.expect_unchanged();
      fail("it cannot be read: " + reason);
    }
    file_.expect_unchanged();
  }

  [[noreturn]] void fail(const std::string& what) const {
    file_.fail("dataset \"" + shortened(name_) + "\": " + what);
  }

 private:
  void find_dataset(const Hdf5Id& file, const Hdf5Lock& lock) {
    const auto listing = list_datasets(file);
    if (!listing) file_.fail("its datasets cannot be listed: " + lock.reason());
    if (listing->names.size() != 1 || !listing->is_complete) {
      file_.fail("expected the name of a dataset, or a file with a single one; " +
                 describe(*listing));
    }
    name_ = listing->names.front();
  }

  void check(const Hdf5Id& dataset, const Hdf5Lock& lock) {
    const Hdf5Id creation(H5Dget_create_plist(dataset.get()));
    if (!creation.is_valid()) fail("it cannot be read: " + lock.reason());
    const std::string trouble = describe_storage(creation);
    if (!trouble.empty()) fail(trouble);
    const Hdf5Id type(H5Dget_type(dataset.get()));
    const Hdf5Id space(H5Dget_space(dataset.get()));
    if (!type.is_valid() || !space.is_valid()) fail("it cannot be read: " + lock.reason());
    const auto element = element_type(type);
    if (!element) {
      fail("expected bytes or floats of 32 or 64 bits, found " + describe_type(type) +
           "; store it as uint8 or float32");
    }
    layout_ = {*element, shape_of(space)};
    if (layout_.shape.empty()) {
      fail("expected 2 to 4 dimensions, found " +
           std::to_string(H5Sget_simple_extent_ndims(space.get())));
    }
    if (!layout_.is_possible()) fail("expected values, found shape " + shape_text(layout_.shape));
    if (H5Pget_layout(creation.get()) == H5D_CHUNKED) {
      check_chunks(dataset, creation, space);
    } else if (H5Dget_storage_size(dataset.get()) < layout_.n_bytes()) {
      fail_to_have_all(H5Dget_storage_size(dataset.get()), layout_.n_bytes(), "bytes");
    }
  }

  void check_chunks(const Hdf5Id& dataset, const Hdf5Id& creation, const Hdf5Id& space) const {
    std::array<hsize_t, kMostDimensions> sizes{};
    const int n = H5Pget_chunk(creation.get(), kMostDimensions, sizes.data());
    const ArrayLayout chunk{layout_.type, {sizes.begin(), sizes.begin() + std::clamp(n, 0, 4)}};
    if (chunk.shape.size() != layout_.shape.size() || !chunk.is_possible() ||
        chunk.n_bytes() > kMostChunkBytes) {
      fail("expected chunks of at most " + std::to_string(kMostChunkBytes) +
           " bytes, found chunks of shape " + shape_text(chunk.shape));
    }
    std::uint64_t n_expected = 1;
    for (std::size_t i = 0; i < chunk.shape.size(); ++i) {
      n_expected *= (layout_.shape[i] - 1) / chunk.shape[i] + 1;
    }
    hsize_t n_found = 0;
    if (H5Dget_num_chunks(dataset.get(), space.get(), &n_found) < 0) n_found = 0;
    if (n_found < n_expected) fail_to_have_all(n_found, n_expected, "chunks");
  }

  [[noreturn]] void fail_to_have_all(std::uint64_t n_found, std::uint64_t n_expected,
                                     const std::string& what) const {
    fail("expected the " + std::to_string(n_expected) + " " + what + " of an array of shape " +
         shape_text(layout_.shape) + ", found " + std::to_string(n_found) +
         "; it was not written to its end, or its header is wrong");
  }

  OpenedFile file_;
  std::string name_;
  ArrayLayout layout_;
  Hdf5Id hdf5_file_;
  Hdf5Id dataset_;
};

Hdf5File::Hdf5File(const std::filesystem::path& path, const std::string& name)
    : opened_(std::make_unique<Opened>(path, name)) {}
Hdf5File::~Hdf5File() = default;

const ArrayLayout& Hdf5File::layout() const {
  return opened_->layout();
}

const std::filesystem::path& Hdf5File::path() const {
  return opened_->file().path();
}

const std::string& Hdf5File::name() const {
  return opened_->name();
}

void Hdf5File::read(std::uint64_t first_row, std::span<std::uint8_t> out) const {
  LIPIZZ_ASSERT(layout().type == ElementType::kUint8);
  opened_->read(first_row, out.size(), H5T_NATIVE_UINT8, out.data());
}

void Hdf5File::read(std::uint64_t first_row, std::span<float> out) const {
  LIPIZZ_ASSERT(layout().type != ElementType::kUint8);
  opened_->read(first_row, out.size(), H5T_NATIVE_FLOAT, out.data());
  const std::string trouble = describe_not_finite(out, first_row, layout().row_size());
  if (!trouble.empty()) fail(trouble);
}

void Hdf5File::fail(const std::string& what) const {
  opened_->fail(what);
}

}  // namespace lipizz::data
