#include "report/html_page.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>

#include "base/check.h"
#include "report/text.h"

namespace warpcheck {
namespace {

constexpr std::string_view kStyle =
#include "report/page_style.inc"
    ;

// Of the style sheet, as a policy names it: base64 of SHA-256.
std::string StyleHash() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const int good = EVP_Digest(kStyle.data(), kStyle.size(), digest, &size, EVP_sha256(), nullptr);
  WARPCHECK_CHECK(good == 1, "SHA-256 is not available");
  unsigned char text[2 * EVP_MAX_MD_SIZE];
  const int length = EVP_EncodeBlock(text, digest, static_cast<int>(size));
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view body) {
  static const std::string kHash = StyleHash();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      kHash, HtmlAttribute(title), kStyle, body);
}

std::string HtmlVerdict(Verdict verdict) {
  const auto word = [](std::string_view kind, std::string_view text) {
    return fmt::format("<span class=\"verdict {}\">{}</span>", kind, text);
  };
  switch (verdict) {
    case Verdict::kPassed:
      return word("good", "passed");
    case Verdict::kSkipped:
      return word("open", "skipped");
    case Verdict::kNotMeasured:
      return word("open", "not measured");
    case Verdict::kFailed:
      return word("bad", "lost");
    case Verdict::kError:
      return word("bad", "error");
    case Verdict::kInvalidReference:
      return word("open", "invalid reference");
    case Verdict::kHarnessFault:
      break;
  }
  return word("open", "harness fault");
}

std::string HtmlBar(double part, double whole) {
  constexpr double kWidth = 100;
  const double width = whole > 0 ? std::clamp(part / whole, 0.0, 1.0) * kWidth : 0;
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"all\" width=\"100\" height=\"8\"/><rect class=\"part\" width=\"{:.1f}\" "
      "height=\"8\"/></svg>",
      width);
}

}  // namespace warpcheck
