#include "report/html/student_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/complaint_groups.h"
#include "report/grade_json.h"
#include "report/html/access_figure.h"
#include "report/html/annotated_source.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/html/map_picture.h"
#include "report/reports.h"
#include "report/speed.h"
#include "report/timeline/timeline_table.h"
#include "report/witness_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxNeighbour = 60;  // the most bytes of a name
constexpr std::size_t kMaxRemark = 8192;
constexpr std::string_view kMain = "<main id=\"main\">";

// Returns the data of a list of sentences, or null if there are no sentences.
PageModel SentencesModel(const std::vector<std::string>& sentences) {
  constexpr std::size_t kMaxSentence = 4000;
  PageModel model;
  for (const std::string& sentence : sentences) {
    model["sentences"].push_back(Shortened(sentence, kMaxSentence));
  }
  return model;
}

class StudentPageModel {
 public:
  StudentPageModel(const Grade& grade, const StudentHead& head) : grade_(grade), head_(head) {}

  PageModel Make() {
    model_ = GradeJson(grade_);
    AddHead();
    AddFirst();
    AddCriteria();
    model_["information"] = Information();
    model_["speeds"] = SpeedsModel(SpeedsOf(grade_, kMaxSpeeds));
    model_["witness"] = WitnessModel();
    model_["timeline"] = Timeline();
    NoteFindings();
    model_["source"] = Source();
    for (const char* output : {"warnings", "device_output", "host_output"}) {
      Shorten(model_[output], kMaxOutput);
    }
    return std::move(model_);
  }

 private:
  static constexpr std::size_t kMaxGroups = 12;     // the most different complaints of a criterion
  static constexpr std::size_t kMaxNotes = 5;       // the most notes below a line of the source
  static constexpr std::size_t kMaxShapes = 12;     // the most cases that a complaint names
  static constexpr std::size_t kMaxFindings = 100;  // the most different findings
  static constexpr std::size_t kMaxMessage = 4000;
  static constexpr std::size_t kMaxName = 300;
  static constexpr std::size_t kMaxOutput = std::size_t{32} << 10;
  static constexpr std::size_t kMaxSpeeds = 8;

  static void Shorten(PageModel& text, std::size_t max_bytes) {
    text = Shortened(text.get_ref<const std::string&>(), max_bytes);
  }

  void AddHead() {
    model_["name"] = Shortened(head_.name, kMaxName);
    model_["title"] = Shortened(grade_.title, kMaxName);
    model_["bar"] = BarLength(grade_.score.Number(), grade_.max_score.Number());
    model_["why_not_final"] = grade_.score_is_final ? "" : WhyNotFinal(grade_);
    model_["graded_with"] = Shortened(GradedWith(grade_.attempt), kMaxName);
    model_["submitted"] = Shortened(head_.submitted, kMaxRemark);
    model_["late"] = head_.late;
    model_["mark"] = SentencesModel(head_.remarks);
    if (!head_.remarks.empty()) model_["mark"]["points"] = Shortened(head_.mark, kMaxRemark);
    for (const char* device : {"device", "device_name"}) Shorten(model_[device], kMaxName);
    for (const char* sentence : {"device_remark", "exactness"}) {
      Shorten(model_[sentence], kMaxRemark);
    }
  }

  // Adds what the student should fix first.
  void AddFirst() {
    model_["first"] = nullptr;
    model_["has_full_marks"] = false;
    if (const auto& error = grade_.attempt.build.error) {
      model_["compile_error"]["place"] = PlaceModel(error->where);
      Shorten(model_["compile_error"]["log"], kMaxOutput);
      Note(error->where, NoteModel("error", error->message, "bad"));
      return;
    }
    first_ = FirstToFix(grade_);
    if (first_ != nullptr) {
      model_["first"] = ComplaintModel(GroupComplaints(*first_).front(), *first_, "first");
      model_["first"]["name"] = Shortened(first_->name, kMaxName);
    } else {
      model_["has_full_marks"] = grade_.score_is_final && grade_.score == grade_.max_score;
    }
  }

  void AddCriteria() {
    for (std::size_t i = 0; i < grade_.criteria.size(); ++i) {
      const CriterionGrade& criterion = grade_.criteria[i];
      PageModel& model = model_["criteria"][i];
      const std::string anchor = fmt::format("c{}", i + 1);
      model["details"] = Details(criterion, anchor);
      const bool has_details = !model["details"].is_null();
      model["anchor"] = &criterion == first_ ? "first" : (has_details ? anchor : "");
      model["result"] = VerdictModel(criterion.verdict);
      Shorten(model["name"], kMaxName);
      Shorten(model["reason"], kMaxMessage);
    }
  }

  // Returns the complaints of a criterion, except the one that stands at the top of the page.
  std::vector<ComplaintGroup> FoldsBelow(const CriterionGrade& criterion) const {
    const bool said = criterion.verdict == Verdict::kPassed || !criterion.reason.empty();
    if (said || grade_.attempt.build.error) return {};
    std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
    if (&criterion == first_) groups.erase(groups.begin());
    return groups;
  }

  // Returns the data of an example, or null if there is nothing to show.
  PageModel Details(const CriterionGrade& criterion, const std::string& anchor) {
    const std::vector<ComplaintGroup> groups = FoldsBelow(criterion);
    if (groups.empty()) return {};
    PageModel complaints = PageModel::array();
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
      complaints.push_back(ComplaintModel(groups[i], criterion, anchor));
    }
    const bool has_more = groups.size() > kMaxGroups;
    return {{"anchor", anchor},
            {"is_first", &criterion == first_},
            {"complaints", std::move(complaints)},
            {"more", has_more ? PageModel(groups.size() - kMaxGroups) : PageModel()}};
  }

  // Returns the data of {{> complaint}} at the place `anchor` of the page, and adds a note to
  // its line of the source.
  PageModel ComplaintModel(const ComplaintGroup& group, const CriterionGrade& criterion,
                           const std::string& anchor) {
    const Complaint& complaint = *group.complaint;
    const bool is_new_hint = !complaint.hint.empty() && hints_.insert(complaint.hint).second;
    const std::string what = complaint.message.substr(0, complaint.message.find('\n'));
    // A complaint about wrong elements may tell the finding that it is about.
    told_.insert({std::string(Name(complaint.kind)), complaint.where});
    told_.insert({complaint.about, complaint.where});
    PageModel note = NoteModel(IsUndecided(criterion.verdict) ? "open" : "lost", what, "");
    note["anchor"] = anchor;
    LineRemarks* const remarks = Note(complaint.where, std::move(note));
    if (remarks != nullptr && !IsUndecided(criterion.verdict)) {
      remarks->loses = true;
      if (complaint.access) {
        const bool shared = complaint.access->memory == AccessExample::Memory::kShared;
        (shared ? remarks->loses_shared : remarks->loses_global) = true;
      }
    }
    const std::string cases = CasesText(group, criterion.cases.size(), kMaxShapes);
    return {{"place", PlaceModel(complaint.where)},
            {"message", Shortened(complaint.message, kMaxMessage)},
            {"cases", Shortened(cases, kMaxMessage)},
            {"kind", KindModel(Name(complaint.kind))},
            {"hint", is_new_hint ? Shortened(complaint.hint, kMaxMessage) : ""},
            {"map", complaint.map ? MapFigureModel(*complaint.map) : PageModel()},
            {"access", complaint.access ? AccessFigureModel(*complaint.access) : PageModel()}};
  }

  // Returns the kind of a finding with the page of the documentation that shows it. Returns null if
  // the complaint tells no finding.
  static PageModel KindModel(std::string_view kind) {
    const std::string page = PageOfKind(kind);
    if (page.empty()) return {};
    return {{"name", kind}, {"page", page}};
  }

  // Returns the place, with a link to its line if the line is shown. Returns null if the place is
  // not known.
  PageModel PlaceModel(const SourceLocation& where) const {
    if (!where.known()) return {};
    return {{"anchor", LineAnchor(grade_.attempt, where)},
            {"text", Shortened(where.Text(), kMaxName)},
            {"code", Shortened(SourceLine(grade_.attempt, where), kMaxName)}};
  }

  static PageModel NoteModel(std::string_view word, std::string_view text,
                             std::string_view colour) {
    return {{"word", word},
            {"text", Shortened(text, kMaxMessage)},
            {"colour", colour},
            {"anchor", ""},
            {"times", ""}};
  }

  // Adds a note below a line of the source, and returns the line's remarks. Returns null if no
  // source has this line.
  LineRemarks* Note(const SourceLocation& where, PageModel note) {
    const std::string file = SourceName(grade_.attempt, where.file);
    if (file.empty() || where.line <= 0) return nullptr;
    LineRemarks& remarks = remarks_[file][where.line];
    if (remarks.notes.size() < kMaxNotes) {
      remarks.notes.push_back(std::move(note));
    } else if (remarks.notes.size() == kMaxNotes) {
      remarks.notes.push_back(NoteModel("", "", ""));  // this note says that there are more
    }
    return &remarks;
  }

  PageModel Information() const {
    PageModel information;
    for (const CaseResult& result : grade_.information) {
      PageModel messages = PageModel::array();
      if (result.speed && result.verdict == Verdict::kPassed) {
        messages.push_back(Shortened(TextOf(*result.speed), kMaxMessage));
      }
      for (const Complaint& complaint : result.complaints) {
        messages.push_back(Shortened(complaint.message, kMaxMessage));
      }
      information["cases"].push_back({{"name", Shortened(result.name, kMaxName)},
                                      {"result", VerdictModel(result.verdict)},
                                      {"messages", std::move(messages)}});
    }
    return information;
  }

  // Returns what the GPU saw of the same calls, or null if there was no GPU.
  PageModel WitnessModel() const {
    const WitnessText text = TextOfWitness(grade_);
    if (text.title.empty()) return {};
    return {{"title", Shortened(text.title, kMaxName)},
            {"facts", SentencesModel(text.facts)},
            {"differences", SentencesModel(text.differences)},
            {"speeds", SpeedsModel(SlowestKernels(grade_.attempt.witness->report, kMaxSpeeds))}};
  }

  // Returns the data of a timeline, or null if the program used no streams.
  PageModel Timeline() const {
    const CaseTimeline* const shown = grade_.attempt.report.TimelineToShow();
    if (shown == nullptr) return {};
    return TimelineModel(shown->timeline, shown->case_name,
                         [this](const SourceLocation& where) { return PlaceModel(where); });
  }

  // Returns the data of the times, or null if no time was measured.
  static PageModel SpeedsModel(const Speeds& speeds) {
    if (speeds.kernels.empty()) return {};
    PageModel kernels = PageModel::array();
    for (const Speed& speed : speeds.kernels) {
      kernels.push_back({{"kernel", Shortened(speed.kernel, kMaxName)},
                         {"text", Shortened(speed.text, kMaxName)},
                         {"limiter", speed.limits.limiter},
                         {"advice", speed.limits.advice}});
    }
    return {{"title", speeds.title}, {"kernels", std::move(kernels)}};
  }

  // Adds the devices' findings to their lines. Most of them are already there as complaints.
  void NoteFindings() {
    const ChecksReport& report = grade_.attempt.report;
    for (const CaseLaunch& launch : report.launches) {
      for (const Finding& finding : launch.record.findings) NoteFinding(finding);
    }
    for (const CaseFinding& finding : report.findings) NoteFinding(finding.finding);
  }

  // The note is red if points were lost at its line.
  void NoteFinding(const Finding& finding) {
    const bool told = told_.contains({std::string(Name(finding.kind)), PlaceOf(finding)});
    if (told || findings_.size() == kMaxFindings) return;
    if (!findings_.insert({finding.kind, finding.where}).second) return;
    const std::string file = SourceName(grade_.attempt, finding.where.file);
    const bool lost = !file.empty() && remarks_[file][finding.where.line].loses;
    PageModel note = NoteModel(Meaning(finding.kind), finding.message,
                               lost && !IsInformation(finding.kind) ? "bad" : "soft");
    if (finding.count > 1) note["times"] = Grouped(finding.count);
    Note(finding.where, std::move(note));
  }

  PageModel Source() const {
    if (grade_.attempt.sources.empty()) return {};
    PageModel source = SourceModel(grade_.attempt, remarks_);
    source["has_costs"] = !grade_.attempt.report.launches.empty();
    return source;
  }

  const Grade& grade_;
  const StudentHead& head_;
  const CriterionGrade* first_ = nullptr;  // the criterion to fix first
  SourceRemarks remarks_;
  std::set<std::string> hints_;  // hints that are shown already
  // The kinds of findings that complaints tell, with their places.
  std::set<std::pair<std::string, SourceLocation>> told_;
  std::set<std::pair<FindingKind, SourceLocation>> findings_;
  PageModel model_;
};

PageModel NeighbourModel(const std::optional<ClassPlace::Neighbour>& neighbour) {
  if (!neighbour) return {};
  return {{"address", neighbour->address}, {"name", Shortened(neighbour->name, kMaxNeighbour)}};
}

}  // namespace

StudentHead HeadOfFile(const Grade& grade) {
  return {.name = std::filesystem::path(grade.attempt.submission).filename().string()};
}

std::string StudentPage(const Grade& grade, const StudentHead& head, const PageExtras& extras) {
  return HtmlPage("student", head.name + ": " + grade.title, StudentPageModel(grade, head).Make(),
                  extras);
}

std::string WithFirstPart(std::string student_page, const std::string& part) {
  return student_page.insert(student_page.find(kMain) + kMain.size(), "\n" + part);
}

std::string WithClassPlace(std::string student_page, const ClassPlace& place) {
  const std::string nav = Rendered("class_place", {{"class_page", place.class_page},
                                                   {"number", place.number},
                                                   {"count", place.count},
                                                   {"previous", NeighbourModel(place.previous)},
                                                   {"next", NeighbourModel(place.next)}});
  return student_page.insert(student_page.find(kMain), nav);
}

std::string HtmlReport(const Grade& grade) { return StudentPage(grade, HeadOfFile(grade)); }

}  // namespace warpcheck
