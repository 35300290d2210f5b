#include "report/student_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "report/access_picture.h"
#include "report/annotated_source.h"
#include "report/complaint_groups.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/map_picture.h"
#include "report/reports.h"
#include "report/speed.h"
#include "report/text.h"
#include "report/witness_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxNeighbour = 60;  // bytes of a name
constexpr std::string_view kMain = "<main id=\"main\">";

class StudentPageWriter {
 public:
  StudentPageWriter(const Grade& grade, const StudentHead& head) : grade_(grade), head_(head) {}

  std::string Write() {
    Head();
    First();
    Criteria();
    for (const CriterionGrade& criterion : grade_.criteria) Details(criterion);
    Information();
    ShowSpeeds(grade_.attempt.report);
    ShowWitness();
    Findings();
    Source();
    Outputs();
    html_ += "</main>";
    return HtmlPage("body", head_.name + ": " + grade_.title, {{"body", html_}});
  }

 private:
  static constexpr std::size_t kMaxGroups = 12;     // different complaints shown a criterion
  static constexpr std::size_t kMaxNotes = 5;       // below a line of the source
  static constexpr std::size_t kMaxShapes = 12;     // cases named a complaint
  static constexpr std::size_t kMaxFindings = 100;  // different ones
  static constexpr std::size_t kMaxMessage = 4000;
  static constexpr std::size_t kMaxName = 300;
  static constexpr std::size_t kMaxOutput = std::size_t{32} << 10;
  static constexpr std::size_t kMaxSpeeds = 8;

  void Head() {
    const Attempt& attempt = grade_.attempt;
    html_ += "<a class=\"skip\" href=\"#main\">Skip to the grade</a>\n";
    const std::string& device = attempt.report.device_name;
    html_ += fmt::format(
        "{}\n<h1><bdi>{}</bdi></h1>\n<p>{}</p>\n"
        "<p class=\"score\">{} / {}</p>\n{}",
        kMain, HtmlText(head_.name, kMaxName), HtmlText(grade_.title, kMaxName),
        grade_.score.Text(), grade_.max_score.Text(),
        HtmlBar(grade_.score.Number(), grade_.max_score.Number()));
    if (!grade_.score_is_final) {
      html_ += fmt::format("<p class=\"open\">{}</p>\n", HtmlText(WhyNotFinal(grade_)));
    }
    html_ += fmt::format("<p class=\"soft\">{}, seed {}; {}{}{}</p>\n",
                         HtmlText(device.empty() ? attempt.device : device, kMaxName), attempt.seed,
                         HtmlText(GradedWith(attempt), kMaxName),
                         head_.submitted.empty() ? "" : "; submitted " + HtmlText(head_.submitted),
                         head_.late ? "; <strong class=\"open\">late</strong>" : "");
    Mark();
    if (!attempt.device_remark.empty()) {
      html_ += fmt::format("<p class=\"open\">{}</p>\n", HtmlText(attempt.device_remark));
    }
  }

  void Mark() {
    if (head_.remarks.empty()) return;
    List(head_.remarks);
    html_ += fmt::format("<p class=\"score\">Mark: {} / {}</p>\n",
                         head_.mark.empty() ? "not final" : HtmlText(head_.mark),
                         grade_.max_score.Text());
  }

  void Criteria() {
    html_ +=
        "<h2>Points</h2>\n<table class=\"cards narrow\">\n<thead><tr><th "
        "scope=\"col\">Criterion</th>"
        "<th scope=\"col\" class=\"number\">Points</th><th scope=\"col\">Result</th></tr></thead>\n"
        "<tbody>\n";
    for (const CriterionGrade& criterion : grade_.criteria) {
      const std::string name = HtmlText(criterion.name, kMaxName);
      const std::string anchor = AnchorOf(criterion);
      html_ += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"number\" data-label=\"Points\">{} / {}</td>"
          "<td data-label=\"Result\">{}{}</td></tr>\n",
          anchor.empty() ? name : fmt::format("<a href=\"#{}\">{}</a>", anchor, name),
          criterion.points.Text(), criterion.max_points.Text(), HtmlVerdict(criterion.verdict),
          criterion.reason.empty() ? "" : "<br>" + HtmlText(criterion.reason, kMaxMessage));
    }
    html_ += "</tbody>\n</table>\n";
  }

  // What to do next: the one thing that is worth most of a student's attention.
  void First() {
    if (const auto& error = grade_.attempt.build.error) {
      html_ += fmt::format(
          "<section class=\"fix\">\n<h2>Fix this first: it does not compile</h2>\n"
          "{}<pre tabindex=\"0\">{}</pre>\n</section>\n",
          PlaceOf(error->where), HtmlText(error->log, kMaxOutput));
      Note(error->where, "<p class=\"says\"><span class=\"verdict bad\">error</span> " +
                             HtmlText(error->message, kMaxMessage) + "</p>");
      return;
    }
    first_ = FirstToFix(grade_);
    if (first_ != nullptr) {
      html_ += fmt::format("<section class=\"fix\" id=\"first\">\n<h2>Fix this first: {}</h2>\n",
                           HtmlText(first_->name, kMaxName));
      Complain(GroupComplaints(*first_).front(), *first_, "first");
      html_ += "</section>\n";
    } else if (grade_.score_is_final && grade_.score == grade_.max_score) {
      html_ += "<p class=\"good\">Full marks. Well done!</p>\n";
    }
  }

  // Complaints of a criterion, but for one that stands at the top.
  std::vector<ComplaintGroup> FoldsBelow(const CriterionGrade& criterion) const {
    const bool said = criterion.verdict == Verdict::kPassed || !criterion.reason.empty();
    if (said || grade_.attempt.build.error) return {};
    std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
    if (&criterion == first_) groups.erase(groups.begin());
    return groups;
  }

  // Where its complaints are; empty for none.
  std::string AnchorOf(const CriterionGrade& criterion) const {
    if (&criterion == first_) return "first";
    return FoldsBelow(criterion).empty() ? "" : OwnAnchor(criterion);
  }

  std::string OwnAnchor(const CriterionGrade& criterion) const {
    return fmt::format("c{}", &criterion - grade_.criteria.data() + 1);
  }

  void Details(const CriterionGrade& criterion) {
    const std::vector<ComplaintGroup> groups = FoldsBelow(criterion);
    if (groups.empty()) return;
    const std::string anchor = OwnAnchor(criterion);
    html_ += fmt::format("<h2 id=\"{}\">{}{}: {} / {}</h2>\n", anchor,
                         &criterion == first_ ? "More of " : "", HtmlText(criterion.name, kMaxName),
                         criterion.points.Text(), criterion.max_points.Text());
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
      Complain(groups[i], criterion, anchor);
    }
    if (groups.size() > kMaxGroups) {
      html_ += fmt::format("<p>and {} more complaints</p>\n", groups.size() - kMaxGroups);
    }
  }

  // `anchor`: of where it stands in the page.
  void Complain(const ComplaintGroup& group, const CriterionGrade& criterion,
                const std::string& anchor) {
    const Complaint& complaint = *group.complaint;
    html_ +=
        fmt::format("<blockquote>\n{}<p class=\"says\">{}</p>\n<p class=\"soft\">{}</p>\n",
                    PlaceOf(complaint.where), HtmlText(complaint.message, kMaxMessage),
                    HtmlText(CasesText(group, criterion.cases.size(), kMaxShapes), kMaxMessage));
    if (!complaint.hint.empty() && hints_.insert(complaint.hint).second) {
      html_ += "<p>Hint: " + HtmlText(complaint.hint, kMaxMessage) + "</p>\n";
    }
    if (complaint.map) html_ += MapFigure(*complaint.map);
    if (complaint.access) html_ += AccessFigure(*complaint.access);
    html_ += "</blockquote>\n";
    const std::string what = complaint.message.substr(0, complaint.message.find('\n'));
    messages_.insert(what);
    LineRemarks* const remarks =
        Note(complaint.where, fmt::format("<p class=\"says\"><a href=\"#{}\">{}</a> {}</p>", anchor,
                                          IsUndecided(criterion.verdict) ? "open" : "lost",
                                          HtmlText(what, kMaxMessage)));
    if (remarks == nullptr || IsUndecided(criterion.verdict)) return;
    remarks->loses = true;
    if (complaint.access) {
      const bool shared = complaint.access->memory == AccessExample::Memory::kShared;
      (shared ? remarks->loses_shared : remarks->loses_global) = true;
    }
  }

  // The place, as a link to the line where it is shown.
  std::string PlaceOf(const SourceLocation& where) const {
    if (!where.known()) return {};
    const std::string anchor = LineAnchor(grade_.attempt, where);
    const std::string text = HtmlText(where.Text(), kMaxName);
    return "<p>" + (anchor.empty() ? text : fmt::format("<a href=\"#{}\">{}</a>", anchor, text)) +
           fmt::format(" <code>{}</code></p>\n",
                       HtmlText(SourceLine(grade_.attempt, where), kMaxName));
  }

  // Null for a place that no source has.
  LineRemarks* Note(const SourceLocation& where, std::string html) {
    const std::string file = SourceName(grade_.attempt, where.file);
    if (file.empty() || where.line <= 0) return nullptr;
    LineRemarks& remarks = remarks_[file][where.line];
    if (remarks.notes.size() < kMaxNotes) {
      remarks.notes.push_back(std::move(html));
    } else if (remarks.notes.size() == kMaxNotes) {
      remarks.notes.emplace_back("<p>and more</p>");
    }
    return &remarks;
  }

  void Information() {
    if (grade_.information.empty()) return;
    html_ += "<h2>Without points</h2>\n<ul>\n";
    for (const CaseResult& result : grade_.information) {
      html_ +=
          fmt::format("<li>{} {}", HtmlText(result.name, kMaxName), HtmlVerdict(result.verdict));
      for (const Complaint& complaint : result.complaints) {
        html_ += fmt::format("<p class=\"says\">{}</p>", HtmlText(complaint.message, kMaxMessage));
      }
      html_ += "</li>\n";
    }
    html_ += "</ul>\n";
  }

  // What a GPU saw of the same calls.
  void ShowWitness() {
    const WitnessText text = TextOfWitness(grade_);
    if (text.title.empty()) return;
    html_ += fmt::format("<h2>{}</h2>\n", HtmlText(text.title, kMaxName));
    List(text.facts);
    if (!text.differences.empty()) {
      html_ += "<p class=\"open\">Where it differs from the emulator:</p>\n";
      List(text.differences);
    }
    ShowSpeeds(grade_.attempt.witness->report);
  }

  void List(const std::vector<std::string>& sentences) {
    if (sentences.empty()) return;
    html_ += "<ul>\n";
    for (const std::string& sentence : sentences) {
      html_ += fmt::format("<li>{}</li>\n", HtmlText(sentence, kMaxMessage));
    }
    html_ += "</ul>\n";
  }

  void ShowSpeeds(const ChecksReport& report) {
    const Speeds speeds = SlowestKernels(report, kMaxSpeeds);
    if (speeds.kernels.empty()) return;
    html_ += fmt::format("<h2>{}</h2>\n<dl>\n", speeds.title);
    for (const Speed& speed : speeds.kernels) {
      html_ += fmt::format("<dt><code>{}</code></dt><dd>{}</dd>\n",
                           HtmlText(speed.kernel, kMaxName), HtmlText(speed.text, kMaxName));
    }
    html_ += "</dl>\n";
  }

  // What devices saw, beside the lines; complaints mostly say it already.
  void Findings() {
    const ChecksReport& report = grade_.attempt.report;
    for (const CaseLaunch& launch : report.launches) {
      for (const Finding& finding : launch.record.findings) AddFinding(finding);
    }
    for (const CaseFinding& finding : report.findings) AddFinding(finding.finding);
  }

  // In red where points were lost at that line.
  void AddFinding(const Finding& finding) {
    if (messages_.contains(finding.message) || findings_.size() == kMaxFindings) return;
    if (!findings_.insert({finding.kind, finding.where}).second) return;
    const std::string file = SourceName(grade_.attempt, finding.where.file);
    const bool lost = !file.empty() && remarks_[file][finding.where.line].loses;
    Note(finding.where,
         fmt::format("<p class=\"says\"><span class=\"verdict {}\">{}</span> {}{}</p>",
                     lost && !IsInformation(finding.kind) ? "bad" : "soft", Meaning(finding.kind),
                     HtmlText(finding.message, kMaxMessage),
                     finding.count > 1 ? fmt::format(" ({} times)", Grouped(finding.count)) : ""));
  }

  void Source() {
    if (grade_.attempt.sources.empty()) return;
    html_ += "<h2>The source</h2>\n";
    if (!grade_.attempt.report.launches.empty()) {
      html_ +=
          "<p class=\"soft\">What each line costs, in all launches of all tests: sectors of global "
          "memory (the upper bar) and wavefronts of shared memory (the lower bar), as long as its "
          "share of the costliest line. The end of a bar in another colour is more than would "
          "do.</p>\n";
    }
    html_ += AnnotatedSource(grade_.attempt, remarks_);
  }

  void Outputs() {
    const Attempt& attempt = grade_.attempt;
    if (attempt.build.artifact) Output("nvcc warns", attempt.build.artifact->warnings);
    Output("The kernels printed", attempt.report.device_output);
    Output("The host code printed", attempt.report.host_output);
  }

  void Output(std::string_view title, const std::string& text) {
    if (text.empty()) return;
    html_ += fmt::format("<h2>{}</h2>\n<pre tabindex=\"0\">{}</pre>\n", title,
                         HtmlText(text, kMaxOutput));
  }

  const Grade& grade_;
  const StudentHead& head_;
  const CriterionGrade* first_ = nullptr;  // what to fix first
  SourceRemarks remarks_;
  std::set<std::string> hints_;     // shown already
  std::set<std::string> messages_;  // of complaints, first lines
  std::set<std::pair<FindingKind, SourceLocation>> findings_;
  std::string html_;
};

}  // namespace

std::string StudentPage(const Grade& grade, const StudentHead& head) {
  return StudentPageWriter(grade, head).Write();
}

std::string WithClassPlace(std::string student_page, const ClassPlace& place) {
  const auto link = [](std::string_view relation, std::string_view text,
                       const std::optional<ClassPlace::Neighbour>& to) {
    if (!to) return std::string();
    return fmt::format("<a rel=\"{}\" href=\"{}\">{}: <bdi>{}</bdi></a>\n", relation,
                       HtmlAttribute(to->address), text, HtmlText(to->name, kMaxNeighbour));
  };
  const std::string nav = fmt::format(
      "<nav class=\"place\" aria-label=\"The class\">\n<a href=\"{}\">The class</a>\n"
      "<span class=\"soft\">{} of {}</span>\n{}{}</nav>\n",
      HtmlAttribute(place.class_page), place.number, place.count,
      link("prev", "previous", place.previous), link("next", "next", place.next));
  return student_page.insert(student_page.find(kMain), nav);
}

std::string HtmlReport(const Grade& grade) {
  return StudentPage(grade,
                     {.name = std::filesystem::path(grade.attempt.submission).filename().string()});
}

}  // namespace warpcheck
