#include "report/terminal/terminal_report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/text.h"
#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/exactness/exactness_text.h"
#include "report/speed.h"
#include "report/terminal/terminal_text.h"
#include "report/terminal/timeline_text.h"
#include "report/witness_text.h"

namespace warpcheck {
namespace {

struct Mark {
  const char* text;
  fmt::terminal_color colour;
};

Mark MarkOf(Verdict verdict) {
  using Colour = fmt::terminal_color;
  static constexpr Mark kMarks[] = {{"ok", Colour::green},    {"--", Colour::yellow},
                                    {"n/m", Colour::yellow},  {"lost", Colour::red},
                                    {"error", Colour::red},   {"fault", Colour::yellow},
                                    {"fault", Colour::yellow}};
  return kMarks[static_cast<std::size_t>(verdict)];
}

class TerminalWriter {
 public:
  TerminalWriter(const Grade& grade, const TerminalStyle& style)
      : grade_(grade),
        colours_(style.colours),
        width_(static_cast<std::size_t>(std::clamp(style.width, kMinWidth, kMaxWidth))) {}

  std::string Write() {
    ShowHead();
    if (grade_.attempt.build.error) ShowCompileError(*grade_.attempt.build.error);
    for (const CriterionGrade& criterion : grade_.criteria) Show(criterion);
    ShowInformation();
    Show(SpeedsOf(grade_, kMaxSpeeds));
    ShowTimeline();
    ShowWitness();
    const Attempt& attempt = grade_.attempt;
    if (attempt.build.artifact) Output("nvcc warns:", attempt.build.artifact->warnings);
    Output("Your kernels printed:", attempt.report.device_output);
    Output("Your host code printed:", attempt.report.host_output);
    ShowScore();
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMaxGroups = 6;  // the most different complaints of a criterion
  static constexpr std::size_t kMaxShapes = 6;  // the most cases that a complaint names
  static constexpr std::size_t kMaxSpeeds = 4;  // the most kernels and grids
  static constexpr std::size_t kMaxLogBytes = 6000;
  static constexpr std::size_t kMaxLogLines = 60;
  static constexpr std::size_t kMaxMessageBytes = 2000;
  static constexpr std::size_t kMaxOutputBytes = 4000;
  static constexpr std::size_t kMaxOutputLines = 20;
  static constexpr std::size_t kIndent = 4;  // the indentation of the lines below a criterion
  static constexpr int kMinWidth = 60;
  static constexpr int kMaxWidth = 100;
  static constexpr int kBarWidth = 30;

  std::string Paint(const std::string& text, fmt::text_style style) const {
    if (!colours_) return text;
    const bool line = text.ends_with('\n');
    return fmt::format(style, "{}", text.substr(0, text.size() - (line ? 1 : 0))) +
           (line ? "\n" : "");
  }
  std::string Paint(const std::string& text, fmt::terminal_color colour) const {
    return Paint(text, fg(colour));
  }
  std::string Bold(const std::string& text) const { return Paint(text, fmt::emphasis::bold); }
  std::string Dim(const std::string& text) const { return Paint(text, fmt::emphasis::faint); }

  void Line(const std::string& line) { text_ += line + "\n"; }

  // Adds an empty line, unless the last line is empty.
  void Gap() {
    if (!text_.ends_with("\n\n")) text_ += '\n';
  }

  void ShowHead() {
    const Attempt& attempt = grade_.attempt;
    const std::string& device = attempt.report.device_name;
    Line(Bold(CleanText(grade_.title)) + ": " + CleanText(attempt.submission));
    Line(Dim(fmt::format("{}, seed {}", CleanText(device.empty() ? attempt.device : device),
                         attempt.seed)));
    if (!attempt.version.empty()) Line(Dim(GradedWith(attempt)));
    const std::string exactness = ExactnessText(grade_);
    if (!exactness.empty()) text_ += Dim(Wrapped(CleanText(exactness), width_, 0, 2));
    if (!attempt.device_remark.empty()) {
      text_ += Paint(Wrapped(CleanText(attempt.device_remark), width_, 0, 2),
                     fmt::terminal_color::yellow);
    }
    Gap();
  }

  // Adds output of the submission. A mark stands before each line, because the output could look
  // like a part of the report.
  void Output(std::string_view title, const std::string& text) {
    if (text.empty()) return;
    Gap();
    Line(std::string(title));
    text_ += Quoted(CleanText(text, kMaxOutputBytes), "  | ", kMaxOutputLines);
  }

  void ShowCompileError(const compile::CompileError& error) {
    Line(Paint("It does not compile yet. nvcc says:", fmt::terminal_color::red));
    Gap();
    text_ += Quoted(CleanText(error.log, kMaxLogBytes), "  ", kMaxLogLines);
    Gap();
  }

  void Head(const CriterionGrade& criterion) {
    const bool built = !grade_.attempt.build.error;
    Mark mark = MarkOf(built ? criterion.verdict : Verdict::kSkipped);
    if (criterion.verdict == Verdict::kFailed && criterion.points > Points()) {
      mark = {"part", fmt::terminal_color::yellow};
    }
    const std::string line =
        fmt::format("  {:<6}{:>5} / {:<4} {}", mark.text, criterion.points.Text(),
                    criterion.max_points.Text(), CleanText(criterion.name));
    Line(Paint(line, mark.colour));
  }

  void Show(const CriterionGrade& criterion) {
    const bool detailed = criterion.reason.empty() && criterion.verdict != Verdict::kPassed;
    if (detailed) Gap();
    Head(criterion);
    if (!criterion.reason.empty() && !grade_.attempt.build.error) {
      text_ += Dim(Wrapped(CleanText(criterion.reason), width_, 21, 21));
    }
    if (!detailed) return;
    const std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
      Gap();
      Show(groups[i], criterion.cases.size());
    }
    if (groups.size() > kMaxGroups) {
      Gap();
      Line("    and " + Counted(groups.size() - kMaxGroups, "more complaint"));
    }
    Gap();
  }

  void Show(const ComplaintGroup& group, std::size_t cases) {
    const Complaint& complaint = *group.complaint;
    if (complaint.where.known()) ShowPlace(complaint.where);
    std::istringstream lines(CleanText(complaint.message, kMaxMessageBytes));
    for (std::string line; std::getline(lines, line);) {
      text_ += Wrapped(line, width_, kIndent, kIndent + 2);
    }
    text_ +=
        Dim(Wrapped(CleanText(CasesText(group, cases, kMaxShapes)), width_, kIndent, kIndent + 2));
    if (!complaint.hint.empty() && hints_.insert(complaint.hint).second) {
      text_ += Paint(Wrapped("hint: " + CleanText(complaint.hint), width_, kIndent, kIndent + 6),
                     fmt::terminal_color::yellow);
    }
    // The page is worth its line once; the name of the kind is short.
    if (const std::string page = PageOfKind(Name(complaint.kind)); !page.empty()) {
      const bool is_new = pages_.insert(page).second;
      text_ += Dim(Wrapped(fmt::format("kind: {}{}", Name(complaint.kind),
                                       is_new ? " (" + page + ")" : std::string()),
                           width_, kIndent, kIndent + 6));
    }
  }

  // Adds a place and its code: "transpose.cu:12  out[i] = in[j];". Long code goes on a line of its
  // own.
  void ShowPlace(const SourceLocation& where) {
    const std::string place = CleanText(where.Text());
    const std::string code = SourceLine(grade_.attempt, where);
    const bool beside = kIndent + Columns(place) + 2 + Columns(code) <= width_;
    const std::string shown = CleanText(code, width_ - kIndent - 4 - 3);
    text_ += std::string(kIndent, ' ') + Bold(place);
    if (!code.empty()) text_ += (beside ? "  " : "\n" + std::string(kIndent + 4, ' ')) + Dim(shown);
    text_ += '\n';
  }

  void ShowInformation() {
    if (grade_.information.empty()) return;
    Gap();
    Line("Without points:");
    for (const CaseResult& result : grade_.information) {
      const Mark mark = MarkOf(result.verdict);
      Line(Paint(fmt::format("  {:<6}{}", mark.text, CleanText(result.name)), mark.colour));
      if (result.speed && result.speed->pairs != 0) {
        text_ += Wrapped(CleanText(TextOf(*result.speed), kMaxMessageBytes), width_, 8, 10);
        continue;
      }
      if (result.complaints.empty()) continue;
      const Complaint& first = result.complaints.front();
      const std::string place = first.where.known() ? first.where.Text() + ": " : "";
      text_ += Wrapped(
          CleanText(place + first.message.substr(0, first.message.find('\n')), kMaxMessageBytes),
          width_, 8, 10);
    }
  }

  // Adds the speed of kernels on a GPU, or the resources that they would need there; no points
  // depend on it.
  void Show(const Speeds& speeds) {
    if (speeds.kernels.empty()) return;
    Gap();
    Line(speeds.title + ":");
    for (const Speed& speed : speeds.kernels) {
      text_ += Wrapped(CleanText(speed.kernel), width_, 2, 6);
      text_ += Dim(Wrapped(CleanText(speed.text), width_, kIndent, kIndent + 2));
      for (const std::string& sentence : {speed.limits.limiter, speed.limits.advice}) {
        if (!sentence.empty()) text_ += Dim(Wrapped(sentence, width_, kIndent, kIndent + 2));
      }
    }
  }

  // Adds what the order of a test's calls lets overlap, if the program used streams.
  void ShowTimeline() {
    const CaseTimeline* const shown = grade_.attempt.report.TimelineToShow();
    if (shown == nullptr) return;
    Gap();
    text_ += Wrapped("Timeline of " + CleanText(shown->case_name) +
                         " (operations of one row may overlap; it has no times):",
                     width_, 0, 2);
    text_ += TimelineText(shown->timeline, width_,
                          [](const SourceLocation& where) { return where.Text(); });
  }

  // Adds what a GPU saw of the same calls.
  void ShowWitness() {
    const WitnessText text = TextOfWitness(grade_);
    if (text.title.empty()) return;
    Gap();
    Line(CleanText(text.title) + ":");
    for (const std::string& fact : text.facts) text_ += Wrapped(CleanText(fact), width_, 2, 4);
    if (!text.differences.empty()) Line("  Where it differs from the emulator:");
    for (const std::string& difference : text.differences) {
      std::istringstream lines(CleanText(difference, kMaxMessageBytes));
      std::size_t indent = 4;
      for (std::string line; std::getline(lines, line); indent = 6) {
        text_ += Wrapped(line, width_, indent, indent + 2);
      }
    }
    Show(SlowestKernels(grade_.attempt.witness->report, kMaxSpeeds));
  }

  void ShowScore() {
    const auto full = grade_.max_score.hundredths();
    const int filled =
        full == 0 ? kBarWidth : static_cast<int>(kBarWidth * grade_.score.hundredths() / full);
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
    Gap();
    Line(Bold(
        fmt::format("Score {} / {}  [{}]", grade_.score.Text(), grade_.max_score.Text(), bar)));
    if (!grade_.score_is_final) {
      text_ += Paint(Wrapped(WhyNotFinal(grade_), width_, 0, 0), fmt::terminal_color::yellow);
    } else if (grade_.score == grade_.max_score) {
      Line(Paint("Full marks. Well done!", fmt::terminal_color::green));
    } else {
      text_ += Wrapped("Fix first: " + FixFirst(), width_, 0, 11);
    }
  }

  std::string FixFirst() const {
    if (const auto& error = grade_.attempt.build.error) {
      const std::string place = error->where.known() ? error->where.Text() + ": " : "";
      return CleanText("compiling. " + place + error->message, kMaxMessageBytes);
    }
    const CriterionGrade* const first = FirstToFix(grade_);
    if (first != nullptr) {
      const SourceLocation& where = GroupComplaints(*first).front().complaint->where;
      return CleanText(first->name + (where.known() ? ", at " + where.Text() : ""));
    }
    return "the first problem above";
  }

  const Grade& grade_;
  const bool colours_;
  const std::size_t width_;
  std::set<std::string> hints_;  // hints that are shown already
  std::set<std::string> pages_;  // pages that are named already
  std::string text_;
};

}  // namespace

std::string TerminalReport(const Grade& grade, const TerminalStyle& style) {
  return TerminalWriter(grade, style).Write();
}

}  // namespace warpcheck
