#include "report/html/html_page.h"

#include <fmt/format.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <utility>

#include "report/html/html_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxTitle = 1024;

// Returns the hash by which a policy (CSP) names a style sheet or a script, the base64 form of its
// SHA-256.
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

std::string HtmlPage(std::string_view name, std::string_view title, PageModel model,
                     const PageExtras& extras) {
  static const std::string_view kStyle = PageText("style.css");
  static const std::string kStyleHash = HashOf(kStyle);
  const std::string_view script = extras.script.empty() ? "" : PageText(extras.script);
  PageModel& document = model["document"];
  document["title"] = Shortened(title, kMaxTitle);
  document["style"] = kStyle;
  document["style_hash"] = kStyleHash;
  document["script"] = script;
  document["script_hash"] = HashOf(script);
  document["refresh"] = extras.refresh > 0 ? PageModel(extras.refresh) : PageModel(false);
  return Rendered(name, model);
}

std::string_view VerdictWord(Verdict verdict) {
  static constexpr std::string_view kWords[] = {"passed", "skipped", "not measured",
                                                "lost",   "error",   "harness fault"};
  return kWords[static_cast<std::size_t>(verdict)];
}

PageModel VerdictModel(Verdict verdict) {
  const bool bad = verdict == Verdict::kFailed || verdict == Verdict::kError;
  return {{"word", VerdictWord(verdict)},
          {"colour", verdict == Verdict::kPassed ? "good" : (bad ? "bad" : "open")}};
}

std::string BarLength(double part, double whole) {
  constexpr double kWidth = 100;
  return fmt::format("{:.1f}", whole > 0 ? std::clamp(part / whole, 0.0, 1.0) * kWidth : 0);
}

}  // namespace warpcheck
