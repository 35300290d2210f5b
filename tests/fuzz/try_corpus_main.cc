// Gives every file of a folder to a fuzzer's function, as libFuzzer does with its corpus.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "base/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} <folder>\n", argv[0]);
    return 2;
  }
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const auto bytes = warpcheck::ReadFile(entry.path());
    if (!bytes) {
      fmt::print(stderr, "{}\n", bytes.error().Text());
      return 1;
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    ++tried;
  }
  fmt::print("{} of the corpus tried, nothing found\n", tried);
  return tried > 0 ? 0 : 1;
}
