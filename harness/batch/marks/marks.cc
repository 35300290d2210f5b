#include "batch/marks/marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "batch/course/lateness.h"
#include "batch/course/student_names.h"
#include "report/wording.h"

namespace warpcheck::batch {
namespace {

// Returns the late days that earlier assignments used.
std::int64_t UsedBefore(const Entry& entry, const Listed* listed, const ClassRules& rules) {
  std::vector<std::string> names = {StudentOf(entry.id)};
  if (listed != nullptr) names.push_back(listed->id);
  names.insert(names.end(), entry.known_as.begin(), entry.known_as.end());
  for (const std::string& name : names) {
    const auto used = rules.used_days.find(name);
    if (used != rules.used_days.end()) return used->second;
  }
  return 0;
}

// Returns what the budget says, for people: "uses 2 late days, 1 of 5 is left".
std::string BudgetText(std::int64_t used, std::int64_t left, std::int64_t budget) {
  const auto days = static_cast<std::size_t>(used);
  return fmt::format("uses {}, {} of {} {} left", Counted(days, "late day"), left, budget,
                     left == 1 ? "is" : "are");
}

// Subtracts points for lateness, and adds a remark that says so.
void TakeForLateness(const Entry& entry, const Listed* listed, Points max, const ClassRules& rules,
                     Mark& mark) {
  if (!rules.due) return;
  const LateRule& rule = rules.late;
  const std::int64_t left = std::max<std::int64_t>(0, rule.days - UsedBefore(entry, listed, rules));
  mark.days_left = left;
  const auto late = SecondsLate(entry.submitted, listed, rules);
  if (!late) {
    if (entry.late && rule.percent > 0) {
      mark.remarks.emplace_back(
          "late according to the platform, which does not say by how much: no penalty");
    }
    return;
  }
  if (*late <= rule.grace) return;
  const std::int64_t units = (*late + rule.unit - 1) / rule.unit;
  mark.late_days = std::min({units, rule.most_days, left});
  mark.days_left = left - mark.late_days;
  const std::int64_t charged = units - mark.late_days;
  const double percent = std::min(static_cast<double>(charged) * rule.percent, rule.most);
  mark.taken =
      Points::FromHundredths(std::llround(static_cast<double>(max.hundredths()) * percent / 100));
  std::string remark = fmt::format(
      "{} late: ", Counted(static_cast<std::size_t>(units), rule.unit == 3'600 ? "hour" : "day"));
  if (rule.days > 0) remark += BudgetText(mark.late_days, mark.days_left, rule.days);
  if (rule.days == 0 || charged > 0) {
    remark += fmt::format("{}a penalty of {}", rule.days > 0 ? "; " : "", Counted(mark.taken));
    if (rule.days > 0) {
      remark += fmt::format(" for {}", Counted(static_cast<std::size_t>(charged), "day"));
    }
  }
  mark.remarks.push_back(std::move(remark));
}

std::string Said(const Note& note) {
  std::string text = note.points
                         ? fmt::format("set to {}", Points::FromHundredths(*note.points).Text())
                         : std::string("a comment");
  text += fmt::format(" by {}, {}", note.who, TimeText(note.when).substr(0, 10));
  return note.comment.empty() ? text : text + ": " + note.comment;
}

}  // namespace

std::string Mark::Remarks() const { return fmt::format("{}", fmt::join(remarks, "; ")); }

Mark MarkOf(const Entry& entry, const Listed* listed, std::optional<Points> earned, Points max,
            const ClassRules& rules, const std::vector<Note>& notes) {
  Mark mark;
  if (listed != nullptr) mark.section = listed->section;
  if (listed != nullptr) mark.team = listed->team;
  if (listed == nullptr && !rules.roster.empty()) {
    mark.remarks.emplace_back("is not in the course's roster");
  }
  mark.late = IsLate(entry.submitted, entry.late, listed, rules);
  TakeForLateness(entry, listed, max, rules, mark);
  if (earned) {
    mark.score = Points::FromHundredths(
        std::max<std::int64_t>(0, earned->hundredths() - mark.taken.hundredths()));
  }
  for (const Note& note : notes) {
    mark.remarks.push_back(Said(note));
    if (note.points) mark.score = Points::FromHundredths(*note.points);
  }
  return mark;
}

Grade Weighted(Grade grade, const Rubric& rubric) {
  Points score;
  for (CriterionGrade& criterion : grade.criteria) {
    const auto weighted = std::ranges::find(rubric.criteria, criterion.id, &Criterion::id);
    if (weighted == rubric.criteria.end()) return grade;  // the grade was made with another rubric
    if (weighted->points != criterion.max_points) {
      criterion.points = criterion.max_points == Points()
                             ? (criterion.verdict == Verdict::kPassed ? weighted->points : Points())
                             : weighted->points.Share(criterion.points.hundredths(),
                                                      criterion.max_points.hundredths());
      criterion.max_points = weighted->points;
    }
    score += criterion.points;
  }
  grade.score = score;
  grade.max_score = rubric.Total();
  return grade;
}

}  // namespace warpcheck::batch
