// Device code that nvcc has compressed, which it does unless told otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace warpcheck::cudart {

enum class Compression { kZstd, kLz4 };

// `packed` as plain text of exactly `plain_bytes`. Fails on damaged bytes, and where the library of
// that compression (libzstd.so.1, liblz4.so.1; loaded when first needed) is not installed.
Result<std::string> Decompress(Compression compression, std::span<const std::byte> packed,
                               std::size_t plain_bytes);

}  // namespace warpcheck::cudart
