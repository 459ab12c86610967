#include "data/png.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "data/png_files.hpp"
#include "data/support.hpp"

namespace lipizz::data::png_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Image counting(std::uint32_t channels) {
  Image image(7, 5, channels);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(37 * i);
  }
  return image;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void set_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Png, reads_back_what_was_written) {
  const TemporaryFolder folder;
  for (const std::uint32_t channels : {1U, 3U}) {
    const Image image = counting(channels);
    write_png(folder.path() / "a.png", image);
    const Image read = read_png(folder.path() / "a.png");
    EXPECT_EQ(read.width, 7U);
    EXPECT_EQ(read.height, 5U);
    EXPECT_EQ(read.channels, channels);
    EXPECT_EQ(read.pixels, image.pixels);
  }
  EXPECT_EQ(folder.n_files(), 1U);
}

TEST(Png, is_a_png_of_the_announced_size) {
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", counting(1));
  const std::string bytes = bytes_of(folder.path() / "a.png");
  // Signature, length and name of the first chunk, width 7, height 5, 8 bits, grey.
  EXPECT_EQ(bytes.substr(0, 26), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05"
                                             "\x08\0",
                                             26));
}

std::string write_error(const std::filesystem::path& path) {
  try {
    write_png(path, counting(1));
  } catch (const CheckpointError& error) {
    return error.what();
  }
  return "written";
}

TEST(Png, an_unwritable_place_is_named_and_left_as_it_was) {
  const TemporaryFolder folder;
  EXPECT_THAT(write_error(folder.path() / "none/a.png"),
              AllOf(HasSubstr("none/a.png"), HasSubstr("No such file")));
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_THAT(write_error(folder.path() / "taken"), HasSubstr("directory"));
  EXPECT_EQ(folder.n_files(), 1U);
}

// A name that is easy to guess would lead there, where others may write too.
TEST(Png, no_link_in_its_folder_is_followed) {
  const TemporaryFolder folder;
  set_bytes(folder.path() / "precious", "precious");
  const std::string path = (folder.path() / "a.png").string();
  const std::string guessed = path + ".tmp-" + std::to_string(::getpid());
  std::filesystem::create_symlink("precious", guessed);
  write_png(path, counting(1));
  EXPECT_EQ(bytes_of(folder.path() / "precious"), "precious");
}

TEST(Png, a_damaged_file_is_refused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.png";
  write_png(path, counting(3));
  const std::string whole = bytes_of(path);
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{20}, whole.size() / 2}) {
    set_bytes(path, whole.substr(0, n));
    EXPECT_THAT(data_error([&] { read_png(path); }), HasSubstr("a.png")) << n;
  }
  EXPECT_THAT(data_error([&] { read_png(folder.path() / "b.png"); }), HasSubstr("No such file"));
}

TEST(Png, a_picture_that_is_too_large_is_refused_before_it_is_read) {
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", counting(1));
  EXPECT_THAT(data_error([&] { read_png(folder.path() / "a.png", 34); }),
              HasSubstr("expected at most 34 pixels, found 7 x 5"));
}

/// The picture that the file of `source` must decode to, by the formulas of the PNG specification.
Image expected_of(const PngSource& source) {
  const std::uint32_t n_stored = source.n_stored();
  const bool is_palette = source.colour == PngColour::kPalette;
  const std::uint32_t n_out = is_palette || n_stored >= 3 ? 3 : 1;
  Image image(source.width, source.height, n_out);
  for (std::size_t i = 0; i < std::size_t{source.width} * source.height; ++i) {
    const std::uint16_t* stored = &source.samples[i * n_stored];
    double opacity = 1;
    if (n_stored % 2 == 0) opacity = stored[n_stored - 1] / source.most();
    const bool is_key = !is_palette && !source.transparent.empty() &&
                        std::equal(source.transparent.begin(), source.transparent.end(), stored);
    if (is_key) opacity = 0;
    if (is_palette && stored[0] < source.transparent.size()) {
      opacity = source.transparent[stored[0]] / 255.0;
    }
    for (std::uint32_t c = 0; c < n_out; ++c) {
      const double value =
          is_palette ? source.palette[3 * stored[0] + c] / 255.0 : stored[c] / source.most();
      // A transparent picture is laid on white in the 8 bits that it was scaled to.
      const double scaled = std::floor(255 * value + 0.5);
      const double alpha = std::floor(255 * opacity + 0.5) / 255;
      image.pixels[i * n_out + c] =
          static_cast<std::uint8_t>(std::floor(scaled * alpha + 255 * (1 - alpha) + 0.5));
    }
  }
  return image;
}

void expect_decodes(const PngSource& source) {
  const Image expected = expected_of(source);
  const Image found = decode_png(png_file(source), "a.png", 10'000);
  ASSERT_EQ(found.width, source.width);
  ASSERT_EQ(found.height, source.height);
  ASSERT_EQ(found.channels, expected.channels);
  ASSERT_EQ(found.pixels, expected.pixels);
}

TEST(Png, reads_all_kinds_of_colour_and_depth) {
  for (const bool is_interlaced : {false, true}) {
    for (const int depth : {1, 2, 4, 8, 16}) {
      for (const PngColour colour : {PngColour::kGrey, PngColour::kColour, PngColour::kPalette,
                                     PngColour::kGreyAlpha, PngColour::kColourAlpha}) {
        if (depth < 8 && colour != PngColour::kGrey && colour != PngColour::kPalette) continue;
        if (depth == 16 && colour == PngColour::kPalette) continue;
        SCOPED_TRACE(::testing::Message()
                     << "depth " << depth << ", colour " << static_cast<int>(colour)
                     << (is_interlaced ? ", interlaced" : ""));
        for (const std::uint32_t width : {1U, 3U, 19U}) {
          expect_decodes(counting_source(colour, depth, width, 11, is_interlaced));
        }
      }
    }
  }
}

TEST(Png, a_colour_or_an_entry_of_the_palette_may_be_transparent) {
  PngSource palette = counting_source(PngColour::kPalette, 4, 9, 9, false);
  palette.transparent = {0, 100, 200};
  expect_decodes(palette);
  for (const int depth : {2, 8, 16}) {
    PngSource grey = counting_source(PngColour::kGrey, depth, 9, 9, false);
    grey.transparent = {grey.samples[5]};
    expect_decodes(grey);
  }
  PngSource colour = counting_source(PngColour::kColour, 8, 9, 9, false);
  colour.transparent = {colour.samples[9], colour.samples[10], colour.samples[11]};
  expect_decodes(colour);
}

TEST(Png, gamma_and_texts_do_not_change_a_picture) {
  PngSource source = counting_source(PngColour::kColour, 8, 5, 4, false);
  source.more = png_chunk("gAMA", {0, 1, 0x86, 0xa0}) + png_chunk("tEXt", {'a', 0, 'b'}) +
                png_chunk("iCCP", {'b', 'a', 'd'});
  expect_decodes(source);
}

std::string refusal(const Octets& bytes, std::uint32_t max_pixels = 10'000) {
  return data_error([&] { decode_png(bytes, "some/a.png", max_pixels); });
}

TEST(Png, a_size_that_cannot_be_is_refused_before_it_is_believed) {
  PngSource source = counting_source(PngColour::kGrey, 8, 1, 1, false);
  for (const auto& [width, height] : {std::pair(0x7fffffffU, 1U), std::pair(65536U, 32768U),
                                      std::pair(0x7fffffffU, 0x7fffffffU)}) {
    source.claimed_width = width;
    source.claimed_height = height;
    EXPECT_THAT(refusal(png_file(source), 1U << 24),
                AllOf(HasSubstr("some/a.png: expected at most 16777216 pixels, found " +
                                std::to_string(width) + " x " + std::to_string(height))));
  }
  source.claimed_width = 0x80000000U;  // more than the format has
  EXPECT_THAT(refusal(png_file(source)), HasSubstr("some/a.png: no good PNG"));
}

TEST(Png, a_file_cut_anywhere_is_refused) {
  for (const bool is_interlaced : {false, true}) {
    const Octets whole = png_file(counting_source(PngColour::kPalette, 8, 9, 9, is_interlaced));
    for (std::size_t n = 0; n < whole.size(); ++n) {
      EXPECT_THAT(refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}),
                  HasSubstr("some/a.png: "))
          << n;
    }
  }
}

TEST(Png, a_byte_changed_anywhere_is_noticed) {
  PngSource source = counting_source(PngColour::kPalette, 8, 9, 9, false);
  source.more = png_chunk("tEXt", {'a', 0, 'b'});
  const Octets whole = png_file(source);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Octets bytes = whole;
    bytes[i] ^= 0x11;
    EXPECT_THAT(refusal(bytes), HasSubstr("some/a.png: ")) << i;
  }
}

TEST(Png, rows_that_are_missing_or_too_many_are_refused) {
  PngSource source = counting_source(PngColour::kGrey, 8, 9, 9, false);
  source.claimed_height = 10;
  EXPECT_THAT(refusal(png_file(source)), HasSubstr("damaged PNG: "));
  source.claimed_height = 8;
  EXPECT_THAT(refusal(png_file(source)), HasSubstr("damaged PNG: "));
}

}  // namespace
}  // namespace lipizz::data::png_test
