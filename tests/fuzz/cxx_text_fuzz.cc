// This fuzzer (libFuzzer) reads a submission's text, and the preprocessor's output for it, as the
// rule about headers does.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "compile/source/includes.h"
#include "cpptext/preprocessing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string blank = warpcheck::cpptext::WithoutCommentsAndLiterals(text);
  WARPCHECK_CHECK(blank.size() == text.size() &&
                      std::ranges::count(blank, '\n') == std::ranges::count(text, '\n'),
                  "as long, and as many lines");
  for (const std::size_t at : warpcheck::cpptext::FindPossibleDirectives(text).hashes) {
    WARPCHECK_CHECK(std::string_view(text).substr(at).starts_with('#') || text[at] == '%',
                    "a hash");
  }
  (void)warpcheck::compile::ReadPreprocessed(text, "/in");
  (void)warpcheck::compile::FindLineMarker({.files = {{"a.cu", text}}, .kernels = {}}, {"a.cu"});
  return 0;
}
