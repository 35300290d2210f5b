// This fuzzer (libFuzzer) compares a submission's text, and PTX that a submission may have written
// itself.
#include <cstddef>
#include <cstdint>
#include <string>

#include "similarity/similarity.h"

using warpcheck::similarity::Comparison;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Comparison comparison({{.id = "a", .sources = {{"a.cu", text}}, .ptx = {text}},
                               {.id = "b", .sources = {{"b.cu", text}, {"c.cu", text}}}},
                              {});
  (void)comparison.Pairs();
  (void)comparison.Lines(0, 1);
  return 0;
}
