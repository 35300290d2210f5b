#include "report/html_page.h"

#include <fmt/format.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <algorithm>

#include "base/check.h"
#include "report/text.h"

namespace warpcheck {
namespace {

constexpr std::string_view kStyle =
#include "report/page_style.inc"
    ;

// As a policy names a style sheet or a script: base64 of SHA-256.
std::string HashOf(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  std::string base64(BASE64_ENCODE_RAW_LENGTH(sizeof digest), '\0');
  base64_encode_raw(base64.data(), sizeof digest, digest);
  return base64;
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view body, const PageExtras& extras) {
  static const std::string kHash = HashOf(kStyle);
  const bool runs = !extras.script.empty();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'sha256-{}'; {}img-src data:; base-uri 'none'; form-action 'none'\">\n{}"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
      kHash, runs ? fmt::format("script-src 'sha256-{}'; ", HashOf(extras.script)) : "",
      extras.refresh > 0
          ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", extras.refresh)
          : "",
      HtmlAttribute(title), kStyle, body,
      runs ? fmt::format("<script>{}</script>\n", extras.script) : "");
}

std::string_view VerdictWord(Verdict verdict) {
  static constexpr std::string_view kWords[] = {
      "passed", "skipped", "not measured", "lost", "error", "invalid reference", "harness fault"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::string HtmlVerdict(Verdict verdict) {
  const bool bad = verdict == Verdict::kFailed || verdict == Verdict::kError;
  return fmt::format("<span class=\"verdict {}\">{}</span>",
                     verdict == Verdict::kPassed ? "good" : (bad ? "bad" : "open"),
                     VerdictWord(verdict));
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
