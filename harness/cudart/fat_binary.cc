#include "cudart/fat_binary.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpcheck::cudart {

namespace {

// Decompresses device code, which nvcc compresses by default. The size of `plain` is the size of
// the uncompressed text. Fails on damaged bytes, and if the compression's library is not installed.

// Returns the function `name` of a library, which stays loaded, or nullptr if there is no such
// function.
template <class Function>
Function* Find(const char* library, const char* name) {
  void* const handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(handle, name));
}

Result<std::string> Missing(const char* library, const char* package) {
  return Fail(fmt::format("the object holds compressed PTX, and {} is not installed", library), {},
              fmt::format("compile with --no-compress, or install {}", package));
}

Result<std::string> Damaged() { return Fail("the object's compressed PTX is damaged"); }

// ZSTD_decompress of zstd.h returns the bytes written, or an error code above all sizes.
Result<std::string> Zstd(std::span<const std::byte> packed, std::string plain) {
  using Function = std::size_t(void*, std::size_t, const void*, std::size_t);
  auto* const decompress = Find<Function>("libzstd.so.1", "ZSTD_decompress");
  if (decompress == nullptr) return Missing("libzstd.so.1", "libzstd1");
  const std::size_t got = decompress(plain.data(), plain.size(), packed.data(), packed.size());
  return got == plain.size() ? Result<std::string>(std::move(plain)) : Damaged();
}

// LZ4_decompress_safe of lz4.h returns the bytes written, or a negative number.
Result<std::string> Lz4(std::span<const std::byte> packed, std::string plain) {
  using Function = int(const char*, char*, int, int);
  auto* const decompress = Find<Function>("liblz4.so.1", "LZ4_decompress_safe");
  if (decompress == nullptr) return Missing("liblz4.so.1", "liblz4-1");
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  if (packed.size() > kMost || plain.size() > kMost) return Damaged();
  const int got = decompress(reinterpret_cast<const char*>(packed.data()), plain.data(),
                             static_cast<int>(packed.size()), static_cast<int>(plain.size()));
  return got == static_cast<int>(plain.size()) ? Result<std::string>(std::move(plain)) : Damaged();
}

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kHeaderMagic = 0xBA55ED50;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kEntryHeaderBytes = 64;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
// These bits are flags of an entry. A compressed entry with neither bit has an unknown compression.
constexpr std::uint64_t kLz4Flag = 0x2000;
constexpr std::uint64_t kZstdFlag = 0x8000;
constexpr std::uint64_t kCompressedFlags = kLz4Flag | kZstdFlag | 0x10000;

enum class EntryKind : std::uint16_t { kPtx = 1, kCubin = 2 };

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;  // 1, or 2 for code that nvlink linked
  const std::byte* data;
  const std::byte* const*
      prelinked;  // in version 2: a list of headers that ends with nullptr, or null
};

struct Entry {
  EntryKind kind = EntryKind::kCubin;
  int architecture = 0;
  bool compressed = false;
  std::uint64_t flags = 0;
  std::uint64_t plain_bytes = 0;  // the uncompressed size of a compressed entry
  std::span<const std::byte> payload;
};

template <class T>
T Load(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// The part of the header that describes its fat binary: the offset of the first entry, and the end.
struct Extent {
  std::size_t first = 0;
  std::size_t end = 0;
};

// Returns the Extent of a header, which has kHeaderBytes bytes.
Result<Extent> ReadHeader(std::span<const std::byte> header) {
  if (Load<std::uint32_t>(header, 0) != kHeaderMagic) {
    return Fail("the device code of this object is not a fat binary");
  }
  const std::size_t header_bytes = Load<std::uint16_t>(header, 6);
  const auto bytes = Load<std::uint64_t>(header, 8);
  if (header_bytes < kHeaderBytes || bytes > kMaxBytes) {
    return Fail(fmt::format("the fat binary's header is damaged: {} bytes of header, {} of data",
                            header_bytes, bytes));
  }
  return Extent{.first = header_bytes, .end = header_bytes + static_cast<std::size_t>(bytes)};
}

// Returns the entry at the start of `bytes`, and sets `length` to its length with its header.
Result<Entry> ReadEntry(std::span<const std::byte> bytes, std::size_t& length) {
  if (bytes.size() < kEntryHeaderBytes) return Fail("the fat binary ends within an entry's header");
  const std::size_t header_bytes = Load<std::uint32_t>(bytes, 4);
  const auto payload_bytes = Load<std::uint64_t>(bytes, 8);
  if (header_bytes < kEntryHeaderBytes || header_bytes > bytes.size() ||
      payload_bytes > bytes.size() - header_bytes) {
    return Fail(
        fmt::format("an entry of the fat binary is damaged: {} bytes of header and {} of "
                    "data where {} are left",
                    header_bytes, payload_bytes, bytes.size()));
  }
  Entry entry;
  entry.kind = Load<EntryKind>(bytes, 0);
  entry.architecture = static_cast<int>(Load<std::uint32_t>(bytes, 28) & 0xFFFF);
  const std::size_t packed_bytes = Load<std::uint32_t>(bytes, 16);
  entry.flags = Load<std::uint64_t>(bytes, 40);
  entry.compressed = packed_bytes != 0 || (entry.flags & kCompressedFlags) != 0;
  entry.plain_bytes = Load<std::uint64_t>(bytes, 56);
  entry.payload = bytes.subspan(header_bytes, static_cast<std::size_t>(payload_bytes));
  if (packed_bytes != 0 && packed_bytes < payload_bytes) {  // the rest of the image is padding
    entry.payload = entry.payload.first(packed_bytes);
  }
  length = header_bytes + static_cast<std::size_t>(payload_bytes);
  return entry;
}

// A Survey records what an image contains. If the image has no PTX, the survey explains why.
struct Survey {
  std::optional<Entry> best;
  std::optional<int> newer;  // the oldest architecture above the architecture of the device
  bool cubin = false;

  void Add(const Entry& entry, int architecture) {
    if (entry.kind == EntryKind::kCubin) cubin = true;
    if (entry.kind != EntryKind::kPtx) return;
    if (entry.architecture > architecture) {
      if (!newer || entry.architecture < *newer) newer = entry.architecture;
    } else if (!best || entry.architecture > best->architecture) {
      best = entry;
    }
  }
};

Result<std::string> PlainText(const Entry& entry) {
  if (!entry.compressed) {
    return std::string(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
  }
  if (entry.plain_bytes > kMaxBytes) {
    return Fail(fmt::format("the object's compressed PTX would have {} bytes", entry.plain_bytes));
  }
  const auto plain_bytes = static_cast<std::size_t>(entry.plain_bytes);
  if ((entry.flags & kZstdFlag) != 0) return Zstd(entry.payload, std::string(plain_bytes, '\0'));
  if ((entry.flags & kLz4Flag) != 0) return Lz4(entry.payload, std::string(plain_bytes, '\0'));
  return Fail("the object's PTX is compressed in an unknown way", {}, "compile with --no-compress");
}

Result<std::string> PtxOf(const Survey& survey, int architecture) {
  const std::string gencode =
      fmt::format("compile with -gencode arch=compute_{0},code=compute_{0}", architecture);
  if (!survey.best) {
    if (survey.newer) {
      return Fail(fmt::format("the object holds PTX for compute_{} only, the device is compute_{}",
                              *survey.newer, architecture),
                  {}, gencode);
    }
    if (survey.cubin) return Fail("the object holds machine code only, no PTX", {}, gencode);
    return Fail("the object holds no device code", {}, gencode);
  }
  auto text = PlainText(*survey.best);
  if (text) text->resize(std::strlen(text->c_str()));  // null bytes follow the text as padding
  return text;
}

}  // namespace

Result<std::string> SelectPtx(std::span<const std::byte> bytes, int architecture) {
  if (bytes.size() < kHeaderBytes) return Fail("the fat binary is shorter than its header");
  const auto extent = WARPCHECK_TRY(ReadHeader(bytes.first(kHeaderBytes)));
  if (extent.end > bytes.size()) {
    return Fail(
        fmt::format("the fat binary is cut short: {} of {} bytes", bytes.size(), extent.end));
  }
  Survey survey;
  for (std::size_t at = extent.first; at < extent.end;) {
    std::size_t length = 0;
    const auto entry = WARPCHECK_TRY(ReadEntry(bytes.first(extent.end).subspan(at), length));
    survey.Add(entry, architecture);
    at += length;
  }
  return PtxOf(survey, architecture);
}

Result<std::span<const std::byte>> FatBinaryBytes(const void* wrapper) {
  Wrapper head{};
  if (wrapper != nullptr) std::memcpy(&head, wrapper, sizeof(head));
  if (head.magic != kWrapperMagic) return Fail("the object's device code has no known wrapper");
  if (head.version != 1) {
    return Fail("the object holds linked device code", {}, "compile without -rdc=true");
  }
  if (head.data == nullptr) return Fail("the object holds no device code");
  const auto extent = WARPCHECK_TRY(ReadHeader({head.data, kHeaderBytes}));
  return std::span(head.data, extent.end);
}

Result<std::string> PtxBehind(const void* wrapper, int architecture) {
  Wrapper head{};
  if (wrapper != nullptr) std::memcpy(&head, wrapper, sizeof(head));
  if (head.magic != kWrapperMagic || head.version != 2 || head.prelinked == nullptr) {
    return FatBinaryBytes(wrapper).and_then(
        [&](auto bytes) { return SelectPtx(bytes, architecture); });
  }
  // One of the files is the toolkit's own device runtime, which has no PTX for the device.
  std::vector<std::string> texts;
  for (const std::byte* const* file = head.prelinked; *file != nullptr; ++file) {
    const auto extent = WARPCHECK_TRY(ReadHeader({*file, kHeaderBytes}));
    auto text = SelectPtx(std::span(*file, extent.end), architecture);
    if (text) texts.push_back(std::move(*text));
  }
  if (texts.size() == 1) return texts.front();
  return Fail(
      fmt::format(
          "the object holds device code of {} files that need linking, which warpcheck does not do",
          texts.size()),
      {}, "compile without -rdc=true, or include the files in one");
}

}  // namespace warpcheck::cudart
