#include "data/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "data/npy_header.hpp"

namespace lipizz::data {
namespace {

constexpr std::size_t kMagicBytes = 6;
constexpr std::size_t kMostStartBytes = 12;  // magic, version, 32 bits of length
constexpr std::size_t kMostHeaderBytes = 1U << 16;
constexpr std::size_t kMostDimensions = 4;

// These files are named .npy by mistake.
std::string explain_magic(std::string_view start) {
  if (start.starts_with("PK\x03\x04")) {
    return "found a .npz or another zip file; save the one array with numpy.save()";
  }
  if (start.starts_with("\x80")) return "found a Python pickle; save the array with numpy.save()";
  return "found something else";
}

template <class Word>
Word swapped(Word word) {
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
}

template <class Stored>
float to_float(const std::byte* bytes, bool is_swapped) {
  std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t> word{};
  std::memcpy(&word, bytes, sizeof word);
  return static_cast<float>(std::bit_cast<Stored>(is_swapped ? swapped(word) : word));
}

ArrayLayout layout_of(ElementType type, std::span<const std::uint64_t> shape) {
  return {type, {shape.begin(), shape.end()}};
}

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& path) : file_(path) {
  const auto header = parse_npy_header(read_header_text());
  if (!header) {
    fail(
        "expected a header with 'descr', 'fortran_order' and 'shape' of one plain array, found "
        "another one or one of records");
  }
  take_type(header->descr);
  if (header->fortran_order) {
    fail(
        "expected an array in C order, found one in Fortran order; save "
        "numpy.ascontiguousarray(array)");
  }
  layout_.shape = header->shape;
  check_shape(header->descr);
}

void NpyFile::check_shape(const std::string& descr) const {
  const std::string shape = shape_text(layout_.shape);
  if (layout_.shape.empty() || layout_.shape.size() > kMostDimensions) {
    fail("expected an array of 1 to 4 dimensions, found shape " + shape);
  }
  if (std::ranges::count(layout_.shape, 0U) > 0) fail("expected values, found shape " + shape);
  const std::uint64_t n_found = file_.n_bytes() - n_before_;
  if (layout_.is_possible() && layout_.n_bytes() == n_found) return;
  const std::string n_expected =
      layout_.is_possible() ? std::to_string(layout_.n_bytes()) + " bytes" : "exabytes";
  fail("expected the " + n_expected + " of an array of shape " + shape + " and type '" + descr +
       "' behind the header, found " + counted(n_found, "byte") +
       "; it was not written to its end, or its header is wrong");
}

std::string NpyFile::read_header_text() {
  std::array<char, kMostStartBytes> start{};
  const auto n = std::min<std::uint64_t>(start.size(), file_.n_bytes());
  file_.read(0, std::as_writable_bytes(std::span(start)).first(n));
  const std::string_view text(start.data(), n);
  if (!text.starts_with("\x93NUMPY")) {
    fail("expected a .npy file, as numpy.save() writes, " + explain_magic(text));
  }
  if (n < start.size()) {
    fail("expected a whole .npy file, found only its first " + counted(n, "byte"));
  }
  const std::uint64_t n_header = take_length_of_header(start);
  std::string header(n_header, '\0');
  file_.read(n_before_ - n_header, std::as_writable_bytes(std::span(header)));
  return header;
}

std::uint64_t NpyFile::take_length_of_header(std::span<const char> start) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(start[i]); };
  const std::uint32_t major = byte(kMagicBytes);
  const std::uint32_t minor = byte(kMagicBytes + 1);
  if (major < 1 || major > 3 || minor != 0) {
    fail("expected version 1.0, 2.0 or 3.0 of the .npy format, found " + std::to_string(major) +
         "." + std::to_string(minor));
  }
  const std::size_t n_length_bytes = major == 1 ? 2 : 4;
  std::uint64_t n_header = 0;
  for (std::size_t i = 0; i < n_length_bytes; ++i) {
    n_header |= std::uint64_t{byte(kMagicBytes + 2 + i)} << 8 * i;
  }
  n_before_ = kMagicBytes + 2 + n_length_bytes + n_header;
  if (n_header > kMostHeaderBytes || n_before_ > file_.n_bytes()) {
    fail("expected a header of at most " + std::to_string(kMostHeaderBytes) +
         " bytes within the file, found one of " + std::to_string(n_header));
  }
  return n_header;
}

void NpyFile::take_type(const std::string& descr) {
  if (descr == "|u1") {
    layout_.type = ElementType::kUint8;
  } else if (descr == "<f4" || descr == ">f4") {
    layout_.type = ElementType::kFloat32;
  } else if (descr == "<f8" || descr == ">f8") {
    layout_.type = ElementType::kFloat64;
  } else {
    const bool is_object = descr.find('O') != std::string::npos;
    fail("expected bytes ('|u1') or floats ('<f4', '<f8'), found " +
         (is_object ? "pickled objects, which are never loaded"
                    : "type '" + shortened(descr) + "'") +
         "; save array.astype(numpy.uint8) or array.astype(numpy.float32)");
  }
  is_swapped_ = descr.front() == '>';
}

void NpyFile::read(std::uint64_t first_row, std::span<std::uint8_t> out) const {
  LIPIZZ_ASSERT(layout_.type == ElementType::kUint8);
  file_.read(offset_of(first_row, out.size()), std::as_writable_bytes(out));
}

void NpyFile::read(std::uint64_t first_row, std::span<float> out) const {
  LIPIZZ_ASSERT(layout_.type != ElementType::kUint8);
  const std::uint64_t offset = offset_of(first_row, out.size());
  if (layout_.type == ElementType::kFloat64) {
    read_as<double>(offset, out);
  } else if (is_swapped_) {
    read_as<float>(offset, out);
  } else {
    file_.read(offset, std::as_writable_bytes(out));
  }
  const std::string trouble = describe_not_finite(out, first_row, layout_.row_size());
  if (!trouble.empty()) fail(trouble);
}

std::uint64_t NpyFile::offset_of(std::uint64_t first_row, std::size_t n_values) const {
  LIPIZZ_ASSERT(n_values % layout_.row_size() == 0 && first_row <= layout_.n_rows() &&
                n_values / layout_.row_size() <= layout_.n_rows() - first_row);
  return n_before_ + first_row * layout_.row_size() * n_bytes_of(layout_.type);
}

template <class Stored>
void NpyFile::read_as(std::uint64_t offset, std::span<float> out) const {
  std::array<std::byte, std::size_t{4096} * sizeof(Stored)> bytes{};
  while (!out.empty()) {
    const std::size_t n = std::min(out.size(), bytes.size() / sizeof(Stored));
    file_.read(offset, std::span(bytes).first(n * sizeof(Stored)));
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = to_float<Stored>(&bytes[i * sizeof(Stored)], is_swapped_);
    }
    offset += n * sizeof(Stored);
    out = out.subspan(n);
  }
}

NpyWriter::NpyWriter(const std::filesystem::path& path, const ArrayLayout& layout)
    : layout_(layout), n_bytes_left_(layout.n_bytes()), file_(path) {
  LIPIZZ_ASSERT(layout.is_possible() && layout.type != ElementType::kFloat64);
  const char* const descr = layout.type == ElementType::kUint8 ? "|u1" : "<f4";
  const std::string preamble = npy_preamble({descr, false, layout.shape});
  file_.write(std::as_bytes(std::span(preamble)));
}

void NpyWriter::write(std::span<const std::uint8_t> values) {
  append(ElementType::kUint8, std::as_bytes(values));
}

void NpyWriter::write(std::span<const float> values) {
  append(ElementType::kFloat32, std::as_bytes(values));
}

void NpyWriter::append(ElementType type, std::span<const std::byte> values) {
  if (type != layout_.type || values.size() > n_bytes_left_) {
    throw InternalError("values of another type, or more, than a .npy file was begun for");
  }
  file_.write(values);
  n_bytes_left_ -= values.size();
}

void NpyWriter::commit() {
  if (n_bytes_left_ != 0) throw InternalError("fewer values than a .npy file was begun for");
  file_.commit();
}

void write_npy(const std::filesystem::path& path, std::span<const std::uint64_t> shape,
               std::span<const std::uint8_t> values) {
  NpyWriter writer(path, layout_of(ElementType::kUint8, shape));
  writer.write(values);
  writer.commit();
}

void write_npy(const std::filesystem::path& path, std::span<const std::uint64_t> shape,
               std::span<const float> values) {
  NpyWriter writer(path, layout_of(ElementType::kFloat32, shape));
  writer.write(values);
  writer.commit();
}

}  // namespace lipizz::data
