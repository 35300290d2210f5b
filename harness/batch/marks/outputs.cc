#include "batch/marks/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "batch/course/student_names.h"
#include "batch/marks/class_junit.h"
#include "batch/marks/class_page_data.h"
#include "batch/marks/excluded_text.h"
#include "batch/marks/export_csv.h"
#include "batch/marks/grades_csv.h"
#include "batch/marks/late_days_csv.h"
#include "batch/marks/leaderboard_data.h"
#include "class_pages/class_page.h"
#include "class_pages/leaderboard.h"
#include "class_pages/similarity_page.h"
#include "grading/student_view.h"
#include "report/clean_text.h"
#include "report/html/student_page.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck::batch {

namespace {

constexpr int kFeedbackWidth = 100;

// The folder of the pages with hidden criteria.
constexpr char kStaffFolder[] = "staff";

constexpr std::size_t kTimeDigits = 14;                  // of 20261121100000
constexpr std::int64_t kOnTime = 1'000'000'000'000'000;  // more than any time of 14 digits

// Returns the grade without times, so that an interrupted batch gives the same files as any other.
// The journal keeps the times.
Grade WithoutTimes(Grade grade, std::int64_t begun) {
  const auto strip = [](std::vector<CaseResult>& cases) {
    for (CaseResult& result : cases) result.seconds = 0;
  };
  grade.attempt.started = begun;
  grade.attempt.build_seconds = grade.attempt.checks_seconds = 0;
  strip(grade.attempt.report.cases);
  strip(grade.information);
  for (CriterionGrade& criterion : grade.criteria) strip(criterion.cases);
  return grade;
}

// Returns the mark if it differs from the score of the report above it; otherwise an empty text.
std::string MarkText(const Mark& mark, Points max) {
  if (mark.remarks.empty()) return "";
  std::string text = "\n";
  for (const std::string& remark : mark.remarks) {
    text += Wrapped(CleanText(remark), kFeedbackWidth, 0, 2);
  }
  return text +
         fmt::format("Mark {} / {}\n", mark.score ? mark.score->Text() : "not final", max.Text());
}

Result<> Replace(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) == bytes.size() && !error) {
    const auto old = ReadFile(path);
    if (old && *old == bytes) return {};
  }
  return WriteFile(path, bytes);
}

}  // namespace

Outputs::Outputs(std::filesystem::path folder, const Rubric& rubric, const JournalState& state)
    : folder_(std::move(folder)),
      rubric_(Weighted(rubric, state.rules)),
      rules_(state.rules),
      roster_(FinderOf(rules_.roster)),
      teams_(rules_, state.roster.entries),
      hides_(!rules_.show_hidden && std::ranges::any_of(rubric_.criteria, &Criterion::hidden)),
      notes_(state.notes),
      begun_(state.identity->begun) {
  for (const Entry& entry : state.roster.entries) {
    for (const Share& share : SharesOf(entry)) ++submissions_[StudentOf(share.as.id)];
  }
}

Result<> Outputs::Prepare() const {
  for (const char* const name : {"junit", "feedback", "json", "class", "students", kStaffFolder}) {
    if (name == kStaffFolder && !hides_) continue;
    std::error_code error;
    std::filesystem::create_directories(folder_ / name, error);
    if (error) {
      return Fail(fmt::format("cannot make {}: {}", (folder_ / name).string(), error.message()));
    }
  }
  return {};
}

const Listed* Outputs::ListedAs(const Entry& entry) const {
  const auto row = roster_.RowOf(StudentOf(entry.id), entry.known_as);
  return row ? &rules_.roster[*row] : nullptr;
}

std::vector<Outputs::Share> Outputs::SharesOf(const Entry& entry) const {
  std::vector<Share> shares;
  for (Entry& as : teams_.SharesOf(entry)) shares.push_back({std::move(as), entry.id});
  return shares;
}

std::vector<Note> Outputs::NotesOn(const Share& share) const {
  const auto notes = notes_.find(StudentOf(share.as.id));
  return notes == notes_.end() ? std::vector<Note>() : notes->second;
}

Mark Outputs::MarkOf(const Share& share, std::optional<Points> earned, Points max,
                     const std::vector<Note>& notes) const {
  const Entry& entry = share.as;
  Mark mark = batch::MarkOf(entry, ListedAs(entry), earned, max, rules_, notes);
  const auto several = submissions_.find(StudentOf(entry.id));
  if (!mark.team.empty()) {
    Entry handed_in = entry;
    handed_in.id = share.submission;
    mark.remarks.insert(mark.remarks.begin(), teams_.Remark(handed_in));
  } else if (several != submissions_.end() && several->second > 1) {
    mark.remarks.insert(mark.remarks.begin(),
                        fmt::format("the best of {} submissions counts: {}{}", several->second,
                                    entry.what, At(entry.submitted)));
  }
  return mark;
}

Mark Outputs::MarkOf(const Share& share, bool with_notes) const {
  const auto row = rows_.find(share.submission);
  const bool is_final = row != rows_.end() && row->second.score_is_final;
  return MarkOf(share, is_final ? std::optional(row->second.score) : std::nullopt, rubric_.Total(),
                with_notes ? NotesOn(share) : std::vector<Note>());
}

Outputs::Standing Outputs::StandingOf(const Share& share) const {
  const Mark mark = MarkOf(share, false);
  Standing standing = {.points = mark.score ? mark.score->hundredths() : -1,
                       .submitted = share.as.submitted,
                       .id = share.submission};
  if (mark.team.empty() || rules_.counts == Counts::kBest) return standing;
  // The time as a number: "2026-11-21T10:00:00" becomes 20261121100000.
  std::string digits = share.as.submitted;
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  std::int64_t time = 0;
  for (const char digit : digits.substr(0, kTimeDigits)) time = 10 * time + (digit - '0');
  standing.rank = rules_.counts == Counts::kFirst ? -time : time;
  if (rules_.counts == Counts::kNewestOnTime && !mark.late) standing.rank += kOnTime;
  return standing;
}

Result<> Outputs::Publish(const Entry& entry, const Grade& graded) {
  const Grade grade = Weighted(WithoutTimes(graded, begun_), rubric_);
  rows_[entry.id] = RowOf(grade);
  for (const Share& share : SharesOf(entry)) {
    const auto [best, is_first] = best_.try_emplace(StudentOf(share.as.id));
    Standing standing = StandingOf(share);
    if (!is_first && standing < best->second) continue;
    best->second = std::move(standing);
    WARPCHECK_TRY(PublishTo(share, grade));
  }
  return {};
}

Result<> Outputs::PublishTo(const Share& share, const Grade& grade) const {
  const std::string id = StudentOf(share.as.id);
  const Mark full = MarkOf(share);
  const auto head = [&](const Mark& mark) {
    return StudentHead{.name = share.as.name,
                       .submitted = share.as.submitted,
                       .late = mark.late,
                       .mark = mark.score ? mark.score->Text() : "",
                       .remarks = mark.remarks};
  };
  if (hides_) {
    WARPCHECK_TRY(Replace(folder_ / kStaffFolder / (id + ".html"),
                          StudentPage(StaffView(grade), head(full))));
  }
  // Students see the mark that the criteria give which they see.
  const Grade shown = hides_ ? StudentView(grade) : StaffView(grade);
  const Mark mark =
      hides_ ? MarkOf(share, shown.score_is_final ? std::optional(shown.score) : std::nullopt,
                      shown.max_score, NotesOn(share))
             : full;
  WARPCHECK_TRY(Replace(folder_ / "junit" / (id + ".xml"), JunitReport(shown)));
  const TerminalStyle style{.colours = false, .width = kFeedbackWidth};
  WARPCHECK_TRY(Replace(folder_ / "feedback" / (id + ".txt"),
                        TerminalReport(shown, style) + MarkText(mark, shown.max_score)));
  // A student's own page says nothing about the class, so that it can be published.
  WARPCHECK_TRY(Replace(folder_ / "students" / (id + ".html"), StudentPage(shown, head(mark))));
  return Replace(folder_ / "json" / (id + ".json"), JsonReport(shown));
}

Excluded Outputs::Superseded(const Share& share) const {
  const std::int64_t points = StandingOf(share).points;
  const Entry& entry = share.as;
  std::string why = "it has no final score";
  if (!teams_.TeamOf(entry).empty()) {
    why = "another submission of the team counts";
  } else if (points >= 0) {
    why =
        fmt::format("{} of {} points: another submission counts, which has at least as many points",
                    Points::FromHundredths(points).Text(), rubric_.Total().Text());
  }
  return {fmt::format("{} ({}{})", entry.name, entry.what, At(entry.submitted)), why};
}

// Adds a line for each student, with the best of the student's submissions.
void Outputs::AddLines(const JournalState& state, const std::map<std::string, std::string>& digests,
                       Table& table) const {
  std::map<std::string, Line> lines;        // by student
  std::map<std::string, std::size_t> open;  // how many submissions have no final score, by student
  for (const Entry& entry : state.roster.entries) {
    const auto row = rows_.find(entry.id);
    for (const Share& share : SharesOf(entry)) {
      const std::string student = StudentOf(share.as.id);
      const bool is_theirs = student == StudentOf(entry.id);
      if (row == rows_.end() || !row->second.score_is_final) ++open[student];
      const auto best = best_.find(student);
      if (best != best_.end() && best->second.id != entry.id) {
        if (is_theirs) table.superseded.push_back(Superseded(share));
        continue;
      }
      Line& line = lines[student];
      // Without a grade so far, a student's own submission stands for the team's.
      if (best == best_.end() && !line.entry.id.empty() && !is_theirs) continue;
      line.entry = share.as;
      line.entry.id = student;
      line.mark = MarkOf(share);
      if (row != rows_.end()) line.row = row->second;
      // The other members did not hand in the same files: they are the team's.
      const auto digest = digests.find(entry.id);
      line.secret = digest != digests.end() ? digest->second : "";
      line.digest = is_theirs ? line.secret : "";
    }
  }
  for (auto& [student, line] : lines) {
    if (const std::size_t count = submissions_.at(student); count > 1 && open[student] > 0) {
      line.mark.remarks.push_back(fmt::format("without a final score: {} of {}", open[student],
                                              Counted(count, "submission")));
    }
    table.lines.push_back(std::move(line));
  }
}

// Adds the students of the course's roster who did not hand in.
void Outputs::AddMissing(const JournalState& state, Table& table) const {
  std::set<std::size_t> there;
  const auto add = [&](const std::string& id, const std::vector<std::string>& known_as) {
    if (const auto row = roster_.RowOf(id, known_as)) there.insert(*row);
  };
  for (const Entry& entry : state.roster.entries) {
    for (const Share& share : SharesOf(entry)) add(StudentOf(share.as.id), share.as.known_as);
  }
  for (const Excluded& one : table.refused) add(one.id, one.known_as);
  for (std::size_t i = 0; i < rules_.roster.size(); ++i) {
    if (!there.contains(i)) table.missing.push_back(rules_.roster[i]);
  }
}

Result<> Outputs::Finish(const JournalState& state,
                         const std::map<std::string, std::string>& digests) const {
  Table table;
  table.rubric = rubric_;
  table.begun = begun_;
  table.exported = rules_.exported.has_value();
  table.has_budget = rules_.late.days > 0;
  table.has_teams =
      std::ranges::any_of(rules_.roster, [](const Listed& one) { return !one.team.empty(); });
  table.superseded = state.roster.superseded;
  table.refused = state.roster.refused;
  AddLines(state, digests, table);
  AddMissing(state, table);
  WARPCHECK_TRY(Replace(folder_ / "grades.csv", GradesCsv(table)));
  WARPCHECK_TRY(Replace(folder_ / "junit.xml", ClassJunit(table)));
  if (table.has_budget) {
    WARPCHECK_TRY(Replace(folder_ / "late_days.csv", LateDaysCsv(table)));
  }
  ClassPage page = PageOf(table);
  if (std::filesystem::exists(folder_ / kSimilarityPage)) {
    page.links.push_back({kSimilarityPage, "similar submissions"});
  }
  WARPCHECK_TRY(Replace(folder_ / kClassPage, HtmlClassPage(page)));
  WARPCHECK_TRY(PublishToInstructors(page));
  if (!leaderboard_.empty()) WARPCHECK_TRY(PublishLeaderboard(table));
  if (rules_.exported) {
    const auto csv = WARPCHECK_TRY(FilledIn(*rules_.exported, table));
    WARPCHECK_TRY(Replace(folder_ / "export.csv", csv));
  }
  return Replace(folder_ / "excluded.txt", ExcludedText(table));
}

// Writes the students' pages again for instructors, with links to the class's page and to each
// other.
Result<> Outputs::PublishToInstructors(const ClassPage& page) const {
  std::vector<const ClassPage::Row*> graded;
  for (const ClassPage::Row& row : page.rows) {
    if (row.state == ClassPage::Row::State::kGraded) graded.push_back(&row);
  }
  for (std::size_t i = 0; i < graded.size(); ++i) {
    const std::string file = graded[i]->id + ".html";
    const auto theirs =
        WARPCHECK_TRY(ReadFile(folder_ / (hides_ ? kStaffFolder : "students") / file));
    ClassPlace place = {
        .class_page = std::string("../") + kClassPage, .number = i + 1, .count = graded.size()};
    const auto link = [](const ClassPage::Row& row) {
      return ClassPlace::Neighbour{.address = row.id + ".html", .name = row.name};
    };
    if (i > 0) place.previous = link(*graded[i - 1]);
    if (i + 1 < graded.size()) place.next = link(*graded[i + 1]);
    WARPCHECK_TRY(Replace(folder_ / "class" / file, WithClassPlace(theirs, place)));
  }
  return {};
}

Result<> Outputs::PublishLeaderboard(const Table& table) const {
  const Leaderboard board = LeaderboardOf(table, rules_.leaderboard == LeaderboardNames::kNames);
  WARPCHECK_TRY(Replace(leaderboard_, HtmlLeaderboard(board)));
  std::filesystem::path csv = leaderboard_;
  WARPCHECK_TRY(Replace(csv.replace_extension(".csv"), LeaderboardCsv(board)));
  if (rules_.leaderboard == LeaderboardNames::kNames) return {};
  return Replace(folder_ / "pseudonyms.csv", PseudonymsCsv(table));
}

Result<> Rebuild(const Journal& journal, const Rubric& rubric,
                 const std::filesystem::path& folder) {
  const JournalState& state = journal.state();
  Outputs outputs(folder, rubric, state);
  WARPCHECK_TRY(outputs.Prepare());
  std::map<std::string, std::string> digests;
  for (const Entry& entry : state.roster.entries) {
    const auto graded = state.graded.find(entry.id);
    if (graded == state.graded.end()) continue;
    digests[entry.id] = graded->second.digest;
    const auto grade = WARPCHECK_TRY(journal.GradeOf(entry.id));
    WARPCHECK_TRY(outputs.Publish(entry, grade));
  }
  return outputs.Finish(state, digests);
}

}  // namespace warpcheck::batch
