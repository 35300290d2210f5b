#include "report/machine/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/clean_text.h"

namespace warpcheck {

std::string Neutral(std::string_view text, std::size_t max_bytes) {
  std::string clean = CleanText(text, max_bytes);
  for (const std::string_view mark : {"[[ATTACHMENT|", "[[PROPERTY|"}) {
    for (std::size_t at = 0; (at = clean.find(mark, at)) != std::string::npos;) {
      clean.insert(at + 1, " ");
    }
  }
  return clean;
}

const char* JunitElement(Verdict verdict) {
  // The elements are in the order of Verdict.
  static constexpr const char* kElements[] = {nullptr, "skipped", "skipped", "failure",
                                              "error", "error",   "error"};
  return kElements[static_cast<std::size_t>(verdict)];
}

void JunitTally::Add(Verdict verdict, std::int64_t took) {
  ++tests;
  milliseconds += took;
  if (verdict == Verdict::kPassed) return;
  const std::string_view element = JunitElement(verdict);
  ++(element == "failure" ? failures : element == "skipped" ? skipped : errors);
}

JunitTally& JunitTally::operator+=(const JunitTally& other) {
  tests += other.tests;
  failures += other.failures;
  errors += other.errors;
  skipped += other.skipped;
  milliseconds += other.milliseconds;
  return *this;
}

// The text appears twice, in an attribute and as the element's own text. Escaping makes six bytes
// of a quote.
std::string JunitTexts::Within(const std::string& text) {
  std::string clean = used_ < most_ ? Neutral(text) : "";
  const auto marks = std::ranges::count_if(
      clean, [](char c) { return std::string_view("\"'<>&").find(c) != std::string_view::npos; });
  used_ += 2 * (clean.size() + 5 * static_cast<std::size_t>(marks));
  return clean;
}

std::string PlaceForJunit(const SourceLocation& where, const std::string& class_name) {
  if (!where.known() || where.line == 0) return "";
  return fmt::format("\nat {}({}:{})", class_name, Neutral(where.file), where.line);
}

}  // namespace warpcheck
