// This fuzzer (libFuzzer) puts a text into every place of a template. The page's markup must be the
// same as with any other text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "report/html/page_template.h"
#include "report/markup.h"
#include "report/template_model.h"

using warpcheck::IsTemplate;
using warpcheck::MarkupOf;
using warpcheck::ModelOfTexts;
using warpcheck::NameOf;
using warpcheck::PageFile;
using warpcheck::PageFiles;
using warpcheck::Rendered;
using warpcheck::ShowsAll;

// The first byte chooses the template, and the next eight choose the sections that are shown; the
// rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t absent = 0;
  constexpr std::size_t kHead = 1 + sizeof absent;
  if (size <= kHead) return 0;
  const PageFile& file = PageFiles()[data[0] % PageFiles().size()];
  if (!IsTemplate(file)) return 0;
  std::memcpy(&absent, data + 1, sizeof absent);
  const std::string text(reinterpret_cast<const char*>(data) + kHead, size - kHead);
  const std::string_view name = NameOf(file);
  const std::string html = Rendered(name, ModelOfTexts(text, absent));
  const std::string plain = Rendered(name, ModelOfTexts("x", absent));
  if (MarkupOf(html) == MarkupOf(plain) && ShowsAll(html)) return 0;
  std::fprintf(stderr, "%s is more than text in %s:\n%s\n", text.c_str(), std::string(name).c_str(),
               html.c_str());
  std::abort();
}
