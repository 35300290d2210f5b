#include "report/changes/grade_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/complaint_groups.h"

namespace warpcheck {
namespace {

// The most complaints that are listed as gone, and as new.
constexpr std::size_t kMostComplaints = 8;

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string TextOf(const SourceLocation& where, const std::string& message) {
  return (where.known() ? where.Text() + ": " : "") + FirstLine(message);
}

struct Shown {
  std::string criterion;  // the id
  std::string id;         // IdOf the complaint
  std::string text;
};

std::vector<Shown> ComplaintsOf(const Grade& grade) {
  std::vector<Shown> all;
  for (const LostPoint& lost : LostPoints(grade)) {
    const Complaint& complaint = *lost.group.complaint;
    all.push_back({.criterion = lost.criterion->id,
                   .id = IdOf(complaint),
                   .text = TextOf(complaint.where, complaint.message)});
  }
  return all;
}

// Adds the complaints of `some` that `others` does not have. A complaint that both have several
// times, at several lines, counts as often as it is there.
void AddMissing(std::vector<std::string>& sentences, std::string_view word,
                const std::vector<Shown>& some, const std::vector<Shown>& others) {
  std::map<std::pair<std::string, std::string>, std::size_t> left;
  for (const Shown& one : others) ++left[{one.criterion, one.id}];
  std::size_t count = 0;
  for (const Shown& one : some) {
    std::size_t& matches = left[{one.criterion, one.id}];
    if (matches > 0) {
      --matches;
    } else if (++count <= kMostComplaints) {
      sentences.push_back(fmt::format("{}: {}", word, one.text));
    }
  }
  if (count > kMostComplaints) {
    sentences.push_back(fmt::format("{}: {} more", word, count - kMostComplaints));
  }
}

std::string ScoreText(const Grade& before, const Grade& now) {
  const std::string old = before.score.Text();
  const std::string full = now.max_score.Text();
  if (before.score == now.score) return fmt::format("Score: still {} of {}", old, full);
  return fmt::format("Score: {} before, now {} of {}", old, now.score.Text(), full);
}

void AddCriteria(std::vector<std::string>& sentences, const Grade& before, const Grade& now) {
  for (const bool gained : {true, false}) {
    for (const CriterionGrade& criterion : now.criteria) {
      const auto old = std::ranges::find(before.criteria, criterion.id, &CriterionGrade::id);
      if (old == before.criteria.end() || old->points == criterion.points) continue;
      if ((old->points < criterion.points) != gained) continue;
      sentences.push_back(fmt::format(
          "{}: {} ({} before, now {} of {})", gained ? "Gained" : "Lost", criterion.name,
          old->points.Text(), criterion.points.Text(), criterion.max_points.Text()));
    }
  }
}

}  // namespace

std::vector<std::string> GradeChanges(const Grade& before, const Grade& now) {
  if (const auto& error = now.attempt.build.error) {
    return {fmt::format("It does not compile any more: {}", TextOf(error->where, error->message))};
  }
  std::vector<std::string> sentences = {ScoreText(before, now)};
  AddCriteria(sentences, before, now);
  const std::vector<Shown> old = ComplaintsOf(before);
  const std::vector<Shown> current = ComplaintsOf(now);
  AddMissing(sentences, "Gone", old, current);
  AddMissing(sentences, "New", current, old);
  return sentences;
}

}  // namespace warpcheck
