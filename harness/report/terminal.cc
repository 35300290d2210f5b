#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "report/clean_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxFolds = 6;   // different complaints shown a criterion
constexpr std::size_t kMaxShapes = 6;  // cases named a complaint
constexpr std::size_t kMaxLogBytes = 6000;
constexpr int kBarWidth = 30;

// One complaint, and the cases that have it at this line.
struct Fold {
  const Complaint* complaint = nullptr;
  std::vector<std::string> cases;
};

// "Shapes/Transpose.MatchesReference/32x32" to "32x32".
std::string ShortName(const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::size_t slash = name.rfind('/');
  if (slash != std::string::npos && dot != std::string::npos && slash > dot) {
    return name.substr(slash + 1);
  }
  return name.substr(dot == std::string::npos ? 0 : dot + 1);
}

// The message with its numbers left out: what the same mistake has in common over many shapes.
std::string Gist(const std::string& message) {
  std::string gist;
  for (const char c : message.substr(0, message.find('\n'))) {
    const bool digit = (c >= '0' && c <= '9') || c == ',' || c == '.' || c == '-';
    if (!digit) gist += c;
  }
  return gist;
}

std::vector<Fold> FoldComplaints(const CriterionGrade& criterion) {
  std::vector<Fold> folds;
  std::map<std::tuple<std::string, int, std::string>, std::size_t> places;
  for (const CaseResult& result : criterion.cases) {
    for (const Complaint& complaint : result.complaints) {
      const auto key =
          std::tuple(complaint.where.file, complaint.where.line, Gist(complaint.message));
      const auto [place, added] = places.emplace(key, folds.size());
      if (added) folds.push_back({.complaint = &complaint, .cases = {}});
      std::vector<std::string>& cases = folds[place->second].cases;
      const std::string name = ShortName(result.name);
      if (cases.empty() || cases.back() != name) cases.push_back(name);
    }
  }
  return folds;
}

class Writer {
 public:
  Writer(const Grade& grade, const TerminalStyle& style) : grade_(grade), style_(style) {}

  std::string Write() {
    const Attempt& attempt = grade_.attempt;
    Line(Paint(CleanText(grade_.title), fmt::emphasis::bold) + "  " +
         CleanText(attempt.submission));
    Line(Dim(fmt::format(
        "{}, seed {}",
        attempt.report.device_name.empty() ? attempt.device : CleanText(attempt.report.device_name),
        attempt.seed)));
    Line("");
    if (attempt.build.error) {
      Line(Red("It does not compile yet. nvcc says:"));
      Indented(attempt.build.error->log, 2, kMaxLogBytes);
      Line("");
    }
    for (const CriterionGrade& criterion : grade_.criteria) Show(criterion);
    ShowScore();
    return std::move(text_);
  }

 private:
  std::string Paint(const std::string& text, fmt::text_style style) const {
    return style_.colours ? fmt::format(style, "{}", text) : text;
  }
  std::string Red(const std::string& text) const {
    return Paint(text, fg(fmt::terminal_color::red));
  }
  std::string Green(const std::string& text) const {
    return Paint(text, fg(fmt::terminal_color::green));
  }
  std::string Yellow(const std::string& text) const {
    return Paint(text, fg(fmt::terminal_color::yellow));
  }
  std::string Dim(const std::string& text) const { return Paint(text, fmt::emphasis::faint); }

  void Line(const std::string& line) { text_ += line + "\n"; }

  void Indented(std::string_view text, std::size_t indent, std::size_t max_bytes = 2000) {
    std::istringstream lines(CleanText(text, max_bytes));
    for (std::string line; std::getline(lines, line);) Line(std::string(indent, ' ') + line);
  }

  void Show(const CriterionGrade& criterion) {
    const std::string points =
        fmt::format("{:>6} / {:<6}", criterion.points.Text(), criterion.max_points.Text());
    const std::string line = points + CleanText(criterion.name);
    switch (criterion.verdict) {
      case Verdict::kPassed:
        Line(Green("  ok    " + line));
        return;
      case Verdict::kSkipped:
        Line(Yellow("  --    " + line));
        break;
      case Verdict::kNotMeasured:
        Line(Yellow("  n/m   " + line));
        break;
      case Verdict::kFailed:
        Line(Red("  lost  " + line));
        break;
      case Verdict::kError:
        Line(Red("  error " + line));
        break;
      case Verdict::kInvalidReference:
      case Verdict::kHarnessFault:
        Line(Yellow("  fault " + line));
        break;
    }
    if (!criterion.reason.empty()) {
      Line(Dim("        " + CleanText(criterion.reason)));
      return;
    }
    const std::vector<Fold> folds = FoldComplaints(criterion);
    for (std::size_t i = 0; i < std::min(folds.size(), kMaxFolds); ++i) Show(folds[i]);
    if (folds.size() > kMaxFolds) {
      Line(fmt::format("        and {} more", folds.size() - kMaxFolds));
    }
    Line("");
  }

  void Show(const Fold& fold) {
    const Complaint& complaint = *fold.complaint;
    Line("");
    if (complaint.where.known()) {
      const std::string where = CleanText(complaint.where.Text());
      Line("        " + Paint(where, fmt::emphasis::bold) + Dim("  " + Quote(complaint.where)));
    }
    Indented(complaint.message, 8);
    const auto shown = std::min(fold.cases.size(), kMaxShapes);
    std::string cases = fmt::format(
        "{}", fmt::join(fold.cases.begin(), fold.cases.begin() + static_cast<long>(shown), ", "));
    if (shown < fold.cases.size()) cases += fmt::format(" and {} more", fold.cases.size() - shown);
    Line(Dim("        in: " + CleanText(cases)));
    if (!complaint.hint.empty()) Line("        " + Yellow("hint: ") + CleanText(complaint.hint));
  }

  // The line of the student's source, without its indentation; empty if it is not known.
  std::string Quote(const SourceLocation& where) const {
    const auto& sources = grade_.attempt.sources;
    auto source = sources.find(where.file);
    if (source == sources.end())
      source = sources.find(where.file.substr(where.file.rfind('/') + 1));
    if (source == sources.end()) return {};
    std::istringstream lines(source->second);
    std::string line;
    for (int i = 0; i < where.line; ++i) {
      if (!std::getline(lines, line)) return {};
    }
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const int room = style_.width - 12 - static_cast<int>(where.Text().size());
    return CleanText(std::string_view(line).substr(start),
                     static_cast<std::size_t>(std::max(room, 20)));
  }

  void ShowScore() {
    const auto full = grade_.max_score.hundredths();
    const int filled =
        full == 0 ? kBarWidth : static_cast<int>(kBarWidth * grade_.score.hundredths() / full);
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
    const std::string score =
        fmt::format("Score {} / {}  [{}]", grade_.score.Text(), grade_.max_score.Text(), bar);
    if (text_.size() < 2 || text_[text_.size() - 2] != '\n') Line("");
    Line(Paint(score, fmt::emphasis::bold));
    if (!grade_.score_is_final) {
      Line(
          Yellow("This is not the final score: something it needs was not measured, or went wrong "
                 "in warpcheck itself."));
    } else if (grade_.score == grade_.max_score) {
      Line(Green("Full marks. Well done!"));
    } else {
      for (const CriterionGrade& criterion : grade_.criteria) {
        if (criterion.verdict == Verdict::kPassed || criterion.verdict == Verdict::kSkipped)
          continue;
        Line("Fix first: " + CleanText(criterion.name));
        break;
      }
    }
  }

  const Grade& grade_;
  const TerminalStyle& style_;
  std::string text_;
};

}  // namespace

std::string TerminalReport(const Grade& grade, const TerminalStyle& style) {
  return Writer(grade, style).Write();
}

}  // namespace warpcheck
