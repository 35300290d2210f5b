#include "report/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "report/complaint_groups.h"
#include "report/shown_character.h"

namespace warpcheck {

std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string Wrapped(std::string_view line, std::size_t width, std::size_t first_indent,
                    std::size_t indent) {
  const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(own);
  std::string text(first_indent + own, ' ');
  std::size_t column = text.size();
  bool at_start = true;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (!at_start && column + 1 + Columns(word) > width) {
      text += '\n' + std::string(indent + own, ' ');
      column = indent + own;
      at_start = true;
      if (word.empty()) continue;
    }
    if (!at_start) text += ' ';
    text += word;
    column += Columns(word) + (at_start ? 0 : 1);
    at_start = false;
  }
  return text + '\n';
}

std::string Quoted(std::string_view text, std::string_view prefix, std::size_t max_lines) {
  std::vector<std::pair<std::string, std::size_t>> lines;  // and how often in a row
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (!lines.empty() && lines.back().first == line) {
      ++lines.back().second;
    } else {
      lines.emplace_back(line, 1);
    }
  }
  std::string quoted;
  for (const auto& [line, times] : std::span(lines).first(std::min(max_lines, lines.size()))) {
    std::string whole = std::string(prefix) + line;
    if (times > 1) whole += fmt::format("  ({} times)", times);
    whole.erase(whole.find_last_not_of(' ') + 1);
    quoted += whole + '\n';
  }
  if (lines.size() > max_lines) {
    quoted += fmt::format("{}... and {} more\n", prefix, lines.size() - max_lines);
  }
  return quoted;
}

namespace {

// The length of an escape sequence at the start of `text` (ECMA-48: a control sequence, or the
// escape character alone), 0 if there is none.
std::size_t EscapeLength(std::string_view text) {
  if (!text.starts_with('\x1b')) return 0;
  if (!text.starts_with("\x1b[")) return 1;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
  return end < text.size() && text[end] >= 0x40 && text[end] < 0x7f ? end + 1 : end;
}

}  // namespace

std::string CleanText(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  while (!text.empty()) {
    if (const std::size_t escape = EscapeLength(text)) {
      text.remove_prefix(escape);
      continue;
    }
    char32_t code = 0;
    const std::size_t length = Utf8Character(text, code);
    if (clean.size() + length > max_bytes) return clean + "...";
    if (length == 0) {
      clean += '?';
    } else if (IsShown(code)) {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

std::string Neutral(std::string_view text, std::size_t max_bytes) {
  std::string clean = CleanText(text, max_bytes);
  for (const std::string_view mark : {"[[ATTACHMENT|", "[[PROPERTY|"}) {
    for (std::size_t at = 0; (at = clean.find(mark, at)) != std::string::npos;) {
      clean.insert(at + 1, " ");
    }
  }
  return clean;
}

std::string JunitTimestamp(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

namespace {

constexpr std::size_t kMaxGroups = 8;
constexpr std::size_t kMaxShapes = 8;
constexpr std::size_t kMaxMessageBytes = 2000;
constexpr std::size_t kMaxLogBytes = 6000;

std::string TextOf(const Attempt& attempt, const ComplaintGroup& group) {
  const Complaint& complaint = *group.complaint;
  std::string text;
  if (complaint.where.known()) {
    text = fmt::format("{}: {}\n", complaint.where.Text(), SourceLine(attempt, complaint.where));
  }
  text += CleanText(complaint.message, kMaxMessageBytes) + "\n";
  text += "in: " + CaseNames(group, kMaxShapes) + "\n";
  if (!complaint.hint.empty()) text += "hint: " + complaint.hint + "\n";
  return CleanText(text, 2 * kMaxMessageBytes);
}

}  // namespace

std::string CriterionText(const Grade& grade, const CriterionGrade& criterion) {
  if (criterion.verdict == Verdict::kPassed) return {};
  if (const auto& error = grade.attempt.build.error) {
    return "It does not compile:\n" + CleanText(error->log, kMaxLogBytes);
  }
  std::string text;
  if (!criterion.reason.empty()) text = CleanText(criterion.reason, kMaxMessageBytes) + "\n";
  const std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
  for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
    if (!text.empty()) text += '\n';
    text += TextOf(grade.attempt, groups[i]);
  }
  if (groups.size() > kMaxGroups) {
    text += fmt::format("\nand {} more complaints\n", groups.size() - kMaxGroups);
  }
  return text;
}

std::string CountOf(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string PathOf(const Attempt& attempt, const SourceLocation& where) {
  namespace fs = std::filesystem;
  const fs::path submission = attempt.submission;
  if (submission.extension() == ".cu") return CleanText(submission.string());
  return CleanText((submission / fs::path(where.file).relative_path()).lexically_normal().string());
}

}  // namespace warpcheck
