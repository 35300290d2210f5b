#include "report/dump/npy.h"

#include <fmt/format.h>

#include "base/round_up.h"

namespace warpcheck {

// The file begins with a magic text, the version, and the length of the header in two bytes. The
// header is a Python dictionary. Blanks fill it, so that the elements begin at a multiple of 64.
std::string NpyFile(std::string_view type, const std::vector<std::uint64_t>& extents,
                    std::string_view bytes) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t kLengthBytes = 2;
  constexpr std::size_t kAlignment = 64;
  std::string shape;
  for (const std::uint64_t extent : extents) shape += fmt::format("{}, ", extent);
  if (extents.size() > 1) shape.resize(shape.size() - 2);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  const std::size_t before = kMagic.size() + kLengthBytes;
  header.resize(RoundUp(before + header.size() + 1, kAlignment) - before - 1, ' ');
  header += '\n';
  std::string file(kMagic);
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file += bytes;
  return file;
}

}  // namespace warpcheck
