// This fuzzer (libFuzzer) reads any bytes as a fat binary. The reader must succeed, or fail with an
// error.
#include <cstdint>
#include <cstdlib>

#include "cudart/fat_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const int architecture : {52, 90, 1000}) {
    const auto ptx = warpcheck::cudart::SelectPtx(bytes, architecture);
    if (ptx ? ptx->size() > size : ptx.error().message.empty()) std::abort();
  }
  return 0;
}
