#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "checks/memcheck.h"

namespace warpcheck {
namespace {

constexpr std::string_view kMark = "=========";
constexpr std::uint64_t kNullPage = 1 << 16;
// Farther from all memory than the largest wrong index of 32 bits reaches.
constexpr std::uint64_t kFar = std::uint64_t{1} << 34;

// Of a line that was matched: decimal with or without commas, or hexadecimal after "0x".
std::uint64_t Number(std::string text) {
  std::erase(text, ',');
  const int base = text.starts_with("0x") ? 16 : 10;
  std::uint64_t number = 0;
  std::from_chars(text.data() + (base == 16 ? 2 : 0), text.data() + text.size(), number, base);
  return number;
}

struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

// One report while its lines come in.
struct Report {
  std::string space;  // "global", "shared", "local"
  std::string verb;   // "reads", "writes", "updates"
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;
  bool misaligned = false;
  std::optional<Allocation> nearest;
  SourceLocation where;
  bool of_student = false;  // `where` is in a student's file
  std::optional<ThreadPosition> thread;
};

std::string Bytes(std::uint64_t count) {
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

std::uint64_t DistanceOf(const Report& report) {
  const auto& [begin, bytes] = *report.nearest;
  if (report.address < begin) return begin - report.address;
  return report.address >= begin + bytes ? report.address - (begin + bytes) : 0;
}

FindingKind KindOf(const Report& report) {
  if (report.misaligned) return FindingKind::kMisaligned;
  if (report.space == "shared") return FindingKind::kSharedOutOfBounds;
  if (report.space == "local") return FindingKind::kLocalOutOfBounds;
  const bool nowhere = report.address < kNullPage || (report.nearest && DistanceOf(report) > kFar);
  if (nowhere) return FindingKind::kIllegalAddress;
  return report.verb == "reads" ? FindingKind::kOutOfBoundsRead : FindingKind::kOutOfBoundsWrite;
}

std::string PlaceOf(const Report& report, FindingKind kind) {
  switch (kind) {
    case FindingKind::kMisaligned:
      return fmt::format("at {:#x}, which is not a multiple of {}", report.address, report.bytes);
    case FindingKind::kSharedOutOfBounds:
      return fmt::format("at {:#x} of shared memory, outside what the block has", report.address);
    case FindingKind::kLocalOutOfBounds:
      return fmt::format("at {:#x} of local memory, outside what the thread has", report.address);
    case FindingKind::kIllegalAddress:
      return fmt::format(
          "at {:#x}, {}", report.address,
          report.address < kNullPage ? "near a null pointer" : "where the device has no memory");
    default:
      break;
  }
  if (!report.nearest) return fmt::format("at {:#x}, outside all memory", report.address);
  const auto& [begin, bytes] = *report.nearest;
  const std::string named = fmt::format("the {}-byte allocation at {:#x}", bytes, begin);
  const std::uint64_t distance = DistanceOf(report);
  if (report.address < begin) {
    return fmt::format("at {:#x}, {} before the start of {}", report.address, Bytes(distance),
                       named);
  }
  if (report.address < begin + bytes) {
    return fmt::format("at {:#x}, across the end of {}", report.address, named);
  }
  return distance == 0 ? fmt::format("at {:#x}, just past the end of {}", report.address, named)
                       : fmt::format("at {:#x}, {} past the end of {}", report.address,
                                     Bytes(distance), named);
}

class Parser {
 public:
  explicit Parser(const std::function<bool(std::string_view)>& is_student_file)
      : is_student_file_(is_student_file) {}

  void Line(const std::string& line) {
    static const re2::RE2 invalid(
        R"(Invalid __(\w+)__ (read|write|atomic) of size ([\d,]+) bytes?.*)", re2::RE2::Latin1);
    static const re2::RE2 place(R"((?:at|Device Frame:) ?.*\+0x[0-9a-f]+ in (.+):(\d{1,9}))",
                                re2::RE2::Latin1);
    static const re2::RE2 thread(
        R"(by thread \((\d{1,9}),(\d{1,9}),(\d{1,9})\) in block \((\d{1,10}),(\d{1,9}),(\d{1,9})\))",
        re2::RE2::Latin1);
    static const re2::RE2 address(R"((?:Address|Access to|Access at) (0x[0-9a-f]+) is (.*))",
                                  re2::RE2::Latin1);
    static const re2::RE2 nearest(
        R"(and is .* nearest allocation at (0x[0-9a-f]+) of size ([\d,]+) bytes?.*)",
        re2::RE2::Latin1);
    std::string first;
    std::string second;
    std::string third;
    int number = 0;
    Dim3 at;
    Dim3 block;
    if (re2::RE2::FullMatch(line, invalid, &first, &second, &third)) {
      Finish();
      Report& begun = report_.emplace();
      begun.space = first;
      begun.verb = second == "read" ? "reads" : second == "write" ? "writes" : "updates";
      begun.bytes = Number(third);
    } else if (line.starts_with("Error") || line.starts_with("Internal")) {
      Finish();
      all_.troubles.push_back(line);
    } else if (!report_) {
      return;
    } else if (line.empty()) {
      Finish();
    } else if (re2::RE2::FullMatch(line, place, &first, &number)) {
      Place({first, number, 0});
    } else if (re2::RE2::FullMatch(line, thread, &at.x, &at.y, &at.z, &block.x, &block.y,
                                   &block.z)) {
      report_->thread = {.block = block, .thread = at, .lane = static_cast<int>(at.x % 32)};
    } else if (re2::RE2::FullMatch(line, address, &first, &second)) {
      report_->address = Number(first);
      report_->misaligned = second.find("misaligned") != std::string::npos;
    } else if (re2::RE2::FullMatch(line, nearest, &first, &second)) {
      report_->nearest = {Number(first), Number(second)};
    }
  }

  SanitizerReport Take() {
    Finish();
    return std::move(all_);
  }

 private:
  // Innermost first.
  void Place(SourceLocation where) {
    const bool of_student = !is_student_file_ || is_student_file_(where.file);
    if (report_->where.known() && (report_->of_student || !of_student)) return;
    report_->where = std::move(where);
    report_->of_student = of_student;
  }

  void Finish() {
    if (!report_) return;
    const FindingKind kind = KindOf(*report_);
    const auto known = std::ranges::find_if(all_.findings, [&](const Finding& other) {
      return other.kind == kind && other.where == report_->where;
    });
    if (known == all_.findings.end()) {
      all_.findings.push_back(
          {.kind = kind,
           .where = report_->where,
           .message = fmt::format("{} {} {}", report_->verb, Bytes(report_->bytes),
                                  PlaceOf(*report_, kind)),
           .thread = report_->thread});
    } else {
      ++known->count;
    }
    report_.reset();
  }

  const std::function<bool(std::string_view)>& is_student_file_;
  std::optional<Report> report_;
  SanitizerReport all_;
};

}  // namespace

SanitizerReport ParseSanitizerReport(
    std::string_view text, const std::function<bool(std::string_view path)>& is_student_file) {
  Parser parser(is_student_file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min<std::size_t>(end, 2048));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kMark)) continue;
    line.remove_prefix(kMark.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    parser.Line(std::string(line));
  }
  return parser.Take();
}

}  // namespace warpcheck
