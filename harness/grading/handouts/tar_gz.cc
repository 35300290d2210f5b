#include "grading/handouts/tar_gz.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>

#include "base/check.h"
#include "base/round_up.h"

namespace warpcheck {
namespace {

constexpr std::size_t kTarBlockBytes = 512;  // a header, and the unit of contents
constexpr std::size_t kMostTarBytes = std::size_t{1}
                                      << 30;  // of an archive; zlib counts in 32 bits

// The fields of a header (IEEE Std 1003.1, pax, "ustar Interchange Format"). Numbers are octal
// digits.
struct Header {
  char name[100] = {};
  char mode[8] = {};
  char uid[8] = {};
  char gid[8] = {};
  char size[12] = {};
  char mtime[12] = {};
  char checksum[8] = {};
  char type = '0';  // a regular file
  char link[100] = {};
  char magic[6] = {'u', 's', 't', 'a', 'r', '\0'};
  char version[2] = {'0', '0'};
  char user[32] = {};
  char group[32] = {};
  char device[16] = {};
  char prefix[155] = {};
  char rest[12] = {};
};
static_assert(sizeof(Header) == kTarBlockBytes);

// Fills a field with the digits of a number, and a NUL.
template <std::size_t kSize>
void SetNumber(char (&field)[kSize], std::uint64_t number) {
  const std::string digits = fmt::format("{:0{}o}", number, kSize - 1);
  WARPCHECK_CHECK(digits.size() < kSize, "the number fits");
  std::memcpy(field, digits.c_str(), kSize);
}

template <std::size_t kSize>
bool SetText(char (&field)[kSize], std::string_view text) {
  if (text.size() > kSize) return false;
  std::ranges::copy(text, field);
  return true;
}

// A name of more than 100 bytes is divided at a slash.
bool SetName(Header& header, std::string_view name) {
  constexpr std::size_t kMost = sizeof header.name;
  if (name.size() <= kMost) return SetText(header.name, name);
  const std::size_t slash = name.find('/', name.size() - kMost - 1);
  if (slash == std::string_view::npos) return false;
  return SetText(header.prefix, name.substr(0, slash)) &&
         SetText(header.name, name.substr(slash + 1));
}

Result<> Add(std::string& archive, const std::string& name, const std::string& contents) {
  Header header;
  if (!SetName(header, name)) {
    return Fail(fmt::format("{} cannot be packed: its name is too long", name));
  }
  if (archive.size() + contents.size() > kMostTarBytes) {
    return Fail(
        fmt::format("{} cannot be packed: an archive may have {} bytes", name, kMostTarBytes));
  }
  SetNumber(header.mode, 0644);
  SetNumber(header.uid, 0);
  SetNumber(header.gid, 0);
  SetNumber(header.size, contents.size());
  SetNumber(header.mtime, 0);
  // The sum of all bytes, with blanks in place of the sum.
  std::ranges::fill(header.checksum, ' ');
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&header);
  const std::string sum = fmt::format("{:06o}", std::accumulate(bytes, bytes + kTarBlockBytes, 0U));
  std::memcpy(header.checksum, sum.c_str(), sum.size() + 1);
  archive.append(reinterpret_cast<const char*>(&header), kTarBlockBytes);
  archive += contents;
  archive.resize(RoundUp(archive.size(), kTarBlockBytes));
  return {};
}

std::string Gzipped(std::string& bytes) {
  constexpr int kGzip = 16;  // deflateInit2 writes a gzip header, without a time or a name
  constexpr int kMemory = 8;
  z_stream stream = {};
  int status = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                            Z_DEFAULT_STRATEGY);
  WARPCHECK_CHECK(status == Z_OK, "zlib is the version that was compiled for");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.avail_out = static_cast<uInt>(packed.size());
  status = deflate(&stream, Z_FINISH);
  WARPCHECK_CHECK(status == Z_STREAM_END, "the bound of zlib is enough");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

Result<std::string> PackTar(const std::map<std::string, std::string>& files) {
  std::string archive;
  for (const auto& [name, contents] : files) WARPCHECK_TRY(Add(archive, name, contents));
  archive.append(2 * kTarBlockBytes, '\0');  // the end of an archive
  return archive;
}

Result<std::string> PackTarGz(const std::map<std::string, std::string>& files) {
  auto archive = WARPCHECK_TRY(PackTar(files));
  return Gzipped(archive);
}

}  // namespace warpcheck
