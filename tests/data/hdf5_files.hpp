#pragma once

#include <hdf5.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace lipizz::data {

/// An HDF5 file that a test writes, closed at the end.
class Hdf5Written {
 public:
  explicit Hdf5Written(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
    if (file_ < 0) throw std::runtime_error("cannot write " + path.string());
  }
  Hdf5Written(const Hdf5Written&) = delete;
  Hdf5Written& operator=(const Hdf5Written&) = delete;
  ~Hdf5Written() { H5Fclose(file_); }

  [[nodiscard]] hid_t id() const { return file_; }

  void group(const std::string& name) const {
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  /// A dataset of the stored type and these values, all of them unless there are none, created as
  /// `creation` says, which is closed.
  template <class Value>
  void dataset(const std::string& name, hid_t stored, const std::vector<hsize_t>& shape,
               const std::vector<Value>& values, hid_t creation = H5P_DEFAULT) const {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set =
        H5Dcreate2(file_, name.c_str(), stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const hid_t type = sizeof(Value) == 1 ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE;
    if (set < 0 || (!values.empty() &&
                    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)) {
      throw std::runtime_error("cannot write dataset " + name);
    }
    H5Dclose(set);
    H5Sclose(space);
    if (creation != H5P_DEFAULT) H5Pclose(creation);
  }

 private:
  hid_t file_;
};

inline hid_t chunked(const std::vector<hsize_t>& shape) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, static_cast<int>(shape.size()), shape.data());
  return creation;
}

}  // namespace lipizz::data
