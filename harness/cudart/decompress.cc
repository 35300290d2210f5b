#include "cudart/decompress.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <limits>

namespace warpcheck::cudart {
namespace {

// The function `name` of a library that stays loaded; nullptr where there is none.
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

// ZSTD_decompress of zstd.h: bytes written, or an error code above them all.
Result<std::string> Zstd(std::span<const std::byte> packed, std::string plain) {
  using Function = std::size_t(void*, std::size_t, const void*, std::size_t);
  auto* const decompress = Find<Function>("libzstd.so.1", "ZSTD_decompress");
  if (decompress == nullptr) return Missing("libzstd.so.1", "libzstd1");
  const std::size_t got = decompress(plain.data(), plain.size(), packed.data(), packed.size());
  return got == plain.size() ? Result<std::string>(std::move(plain)) : Damaged();
}

// LZ4_decompress_safe of lz4.h: bytes written, or a negative number.
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

}  // namespace

Result<std::string> Decompress(Compression compression, std::span<const std::byte> packed,
                               std::size_t plain_bytes) {
  std::string plain(plain_bytes, '\0');
  return compression == Compression::kZstd ? Zstd(packed, std::move(plain))
                                           : Lz4(packed, std::move(plain));
}

}  // namespace warpcheck::cudart
