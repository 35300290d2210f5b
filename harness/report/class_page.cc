#include "report/class_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <numeric>
#include <vector>

#include "report/complaint_groups.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/text.h"

namespace warpcheck {
namespace {

using Row = ClassPage::Row;

// Hundredths of points, rounded to one.
std::string Mean(double hundredths) { return fmt::format("{:.1f}", hundredths / 100); }

// Students that are one click away: their number is what is seen first.
std::string Folded(std::string_view summary, const std::vector<std::string>& students) {
  if (students.empty()) return std::string(summary);
  std::string html = fmt::format("<details><summary>{}</summary>\n<ul class=\"names\">\n", summary);
  for (const std::string& student : students) html += fmt::format("<li>{}</li>\n", student);
  return html + "</ul></details>";
}

class ClassPageWriter {
 public:
  explicit ClassPageWriter(const ClassPage& page) : page_(page) {
    for (const Row& row : page.rows) {
      by_id_[row.id] = &row;
      if (row.score_is_final && row.state != Row::State::kMissing) scored_.push_back(&row);
    }
  }

  std::string Write() {
    html_ += fmt::format(
        "<a class=\"skip\" href=\"#grades\">Skip to the grades</a>\n<main>\n<h1>{}</h1>\n",
        HtmlText(page_.title, kMaxNameShown));
    Summary();
    if (!scored_.empty()) {
      Distribution();
      Criteria();
      Complaints();
    }
    html_ += "<h2 id=\"grades\">Grades</h2>\n";
    html_ += page_.rows.empty() ? "<p>Nobody has handed in anything.</p>\n" : HtmlClassTable(page_);
    Identical();
    Asides("Refused: a person has to look", page_.refused);
    Asides("Submissions that do not count", page_.superseded);
    html_ += "</main>\n";
    return HtmlPage("body", page_.title, {{"body", html_}},
                    {.script = page_.rows.empty() ? "" : "class.js"});
  }

 private:
  static constexpr std::size_t kMaxReason = 1000;
  static constexpr std::size_t kMaxComplaints = 10;  // that are shown

  void Summary() {
    std::vector<std::string> links;
    for (const ClassPage::Link& link : page_.links) {
      links.push_back(
          fmt::format("<a href=\"{}\">{}</a>", HtmlAttribute(link.address), HtmlText(link.text)));
    }
    html_ += fmt::format("<p>{}; begun {:%Y-%m-%d %H:%M} UTC</p>\n",
                         CountOf(page_.rows.size(), "student"),
                         fmt::gmtime(static_cast<std::time_t>(page_.begun)));
    if (!links.empty()) {
      html_ += fmt::format("<nav aria-label=\"Files\"><p>{}</p></nav>\n", fmt::join(links, " · "));
    }
    if (!scored_.empty()) Averages();
    Who("late", [](const Row& row) { return row.late; });
    Who("without a final score",
        [](const Row& row) { return !row.score_is_final && row.state != Row::State::kRefused; });
    Who("refused", [](const Row& row) { return row.state == Row::State::kRefused; });
    Who("handed in nothing", [](const Row& row) { return row.state == Row::State::kMissing; });
  }

  void Averages() {
    std::vector<std::int64_t> scores;
    for (const Row* row : scored_) scores.push_back(row->score.hundredths());
    std::ranges::sort(scores);
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    const std::size_t half = scores.size() / 2;
    const double median = scores.size() % 2 == 1
                              ? static_cast<double>(scores[half])
                              : static_cast<double>(scores[half - 1] + scores[half]) / 2;
    html_ += fmt::format("<p class=\"score\">mean {}, median {} of {} points</p>\n",
                         Mean(sum / static_cast<double>(scores.size())), Mean(median),
                         page_.max_score.Text());
  }

  template <class Is>
  void Who(std::string_view what, Is is) {
    std::vector<std::string> students;
    for (const Row& row : page_.rows) {
      if (is(row)) students.push_back(HtmlStudent(row));
    }
    if (students.empty()) return;
    html_ += Folded(fmt::format("{} {}", students.size(), what), students) + "\n";
  }

  void Distribution() {
    ScoreBins bins{};
    std::array<std::vector<std::string>, kScoreBins> students;
    for (const Row* row : scored_) {
      const std::size_t bin = ScoreBin(row->score, page_.max_score);
      ++bins[bin];
      students[bin].push_back(
          fmt::format("{} <span class=\"soft\">{}</span>", HtmlStudent(*row), row->score.Text()));
    }
    html_ += "<h2>Scores</h2>\n" + HtmlHistogram(bins);
    for (std::size_t i = kScoreBins; i-- > 0;) {
      if (bins[i] == 0) continue;
      html_ +=
          Folded(fmt::format("{}: {}", ScoreRange(i), CountOf(bins[i], "student")), students[i]) +
          "\n";
    }
  }

  // Of those with a final score: a skipped criterion is lost too.
  void Criteria() {
    html_ +=
        "<h2>Where points were lost</h2>\n<table class=\"cards lists\">\n<thead><tr><th "
        "scope=\"col\">Criterion</th><th scope=\"col\" class=\"number\">Points</th><th "
        "scope=\"col\" class=\"number\">Lost on average</th><th scope=\"col\">Who lost points"
        "</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) Criterion(i);
    html_ += "</tbody>\n</table>\n";
  }

  void Criterion(std::size_t i) {
    const ClassPage::Criterion& criterion = page_.criteria[i];
    std::vector<std::string> losers;
    double lost = 0;
    std::size_t graded = 0;
    for (const Row* row : scored_) {
      if (i >= row->cells.size()) continue;
      ++graded;
      const Points points = row->cells[i].points;
      lost += static_cast<double>(criterion.points.hundredths() - points.hundredths());
      if (points < criterion.points) {
        losers.push_back(HtmlStudent(*row, fmt::format("#c{}", i + 1)));
      }
    }
    html_ += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\" data-label=\"Points\">{}</td>"
        "<td class=\"number\" data-label=\"Lost on average\">{}</td><td>{}{}</td></tr>\n",
        HtmlText(criterion.name, kMaxNameShown), criterion.points.Text(),
        Mean(graded == 0 ? 0 : lost / static_cast<double>(graded)),
        HtmlBar(static_cast<double>(losers.size()), static_cast<double>(graded)),
        losers.empty() ? "nobody" : Folded(fmt::format("{} of {}", losers.size(), graded), losers));
  }

  void Complaints() {
    const std::vector<CommonComplaint> complaints = CommonComplaints(page_);
    if (complaints.empty()) return;
    html_ +=
        "<h2>The commonest complaints</h2>\n<p class=\"soft\">The first of each lost criterion. "
        "What differs in numbers alone is one; the numbers are those of one student.</p>\n"
        "<table class=\"cards lists\">\n<thead><tr><th scope=\"col\">Complaint</th>"
        "<th scope=\"col\">Whose</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < std::min(complaints.size(), kMaxComplaints); ++i) {
      const CommonComplaint& complaint = complaints[i];
      std::vector<std::string> students;
      for (const CommonComplaint::Case& one : complaint.cases) {
        students.push_back(HtmlStudent(*one.row, fmt::format("#c{}", complaint.criterion + 1)));
        if (!one.where.known()) continue;
        students.back() += fmt::format(" <span class=\"soft\">{}</span>",
                                       HtmlText(one.where.Text(), kMaxNameShown));
      }
      html_ += fmt::format("<tr><td>{}<br><span class=\"soft\">{}</span></td><td>{}</td></tr>\n",
                           HtmlText(complaint.says, kMaxNameShown),
                           HtmlText(page_.criteria[complaint.criterion].name, kMaxNameShown),
                           Folded(CountOf(students.size(), "student"), students));
    }
    html_ += "</tbody>\n</table>\n";
    if (complaints.size() > kMaxComplaints) {
      html_ += fmt::format("<p>and {} that are rarer</p>\n", complaints.size() - kMaxComplaints);
    }
  }

  void Identical() {
    if (page_.identical.empty()) return;
    html_ +=
        "<h2>The same files</h2>\n<p class=\"soft\">A hint, not a verdict: a template that nobody "
        "changed counts too.</p>\n";
    for (const auto& group : page_.identical) {
      html_ += "<ul class=\"names\">\n";
      for (const std::string& id : group) {
        const auto row = by_id_.find(id);
        html_ += fmt::format("<li>{}</li>\n",
                             row == by_id_.end() ? HtmlText(id) : HtmlStudent(*row->second));
      }
      html_ += "</ul>\n";
    }
  }

  void Asides(std::string_view title, const std::vector<ClassPage::Aside>& asides) {
    if (asides.empty()) return;
    html_ += fmt::format(
        "<h2>{}</h2>\n<table class=\"cards\">\n<thead><tr><th scope=\"col\">What</th><th "
        "scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
        title);
    for (const ClassPage::Aside& aside : asides) {
      html_ += fmt::format("<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td></tr>\n",
                           HtmlText(aside.what, kMaxNameShown), HtmlText(aside.reason, kMaxReason));
    }
    html_ += "</tbody>\n</table>\n";
  }

  const ClassPage& page_;
  std::vector<const Row*> scored_;  // with a final score
  std::map<std::string, const Row*> by_id_;
  std::string html_;
};

}  // namespace

std::string HtmlStudent(const Row& row, std::string_view anchor) {
  const std::string name =
      "<bdi>" + HtmlText(row.name.empty() ? row.id : row.name, kMaxNameShown) + "</bdi>";
  if (row.state != Row::State::kGraded) return name;
  return fmt::format("<a href=\"class/{}.html{}\">{}</a>", HtmlAttribute(row.id), anchor, name);
}

std::string HtmlClassPage(const ClassPage& page) { return ClassPageWriter(page).Write(); }

std::vector<CommonComplaint> CommonComplaints(const ClassPage& page) {
  std::vector<CommonComplaint> complaints;
  std::map<std::string, std::size_t> places;  // by what they have in common
  for (const ClassPage::Row& row : page.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const ClassPage::Cell& cell = row.cells[i];
      const bool told = cell.verdict == Verdict::kFailed || cell.verdict == Verdict::kError;
      if (!told || cell.says.empty()) continue;
      const auto [place, is_new] = places.try_emplace(Gist(cell.says), complaints.size());
      if (is_new) complaints.push_back({.says = cell.says, .criterion = i, .cases = {}});
      auto& cases = complaints[place->second].cases;
      if (cases.empty() || cases.back().row != &row) {
        cases.push_back({.row = &row, .where = cell.where});
      }
    }
  }
  std::ranges::stable_sort(complaints, std::greater(),
                           [](const CommonComplaint& one) { return one.cases.size(); });
  return complaints;
}

namespace {

// In units of the picture.
constexpr double kBinWidth = 32;
constexpr double kBarWidth = 26;
constexpr double kTop = 16;  // of the highest bar: its number stands above
constexpr double kBase = 120;
constexpr double kHeight = 138;

}  // namespace

std::size_t ScoreBin(Points score, Points max) {
  if (score >= max) return kScoreBins - 1;
  return static_cast<std::size_t>(score.hundredths() * 10 / max.hundredths());
}

std::string ScoreRange(std::size_t bin) {
  return bin == kScoreBins - 1 ? "all points" : fmt::format("{} to {} %", 10 * bin, 10 * bin + 9);
}

std::string HtmlHistogram(const ScoreBins& bins) {
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(bins));
  std::vector<std::string> words;
  std::string bars;
  for (std::size_t i = 0; i < kScoreBins; ++i) {
    const double left = kBinWidth * static_cast<double>(i) + (kBinWidth - kBarWidth) / 2;
    const double middle = left + kBarWidth / 2;
    const double height = (kBase - kTop) * static_cast<double>(bins[i]) / static_cast<double>(most);
    bars += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", middle, kHeight - 4,
                        i == kScoreBins - 1 ? "all" : std::to_string(10 * i));
    if (bins[i] == 0) continue;
    bars += fmt::format(
        "<rect class=\"part\" x=\"{:.0f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\"/>"
        "<text x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n",
        left, kBase - height, kBarWidth, height, middle, kBase - height - 4, bins[i]);
    words.push_back(fmt::format("{}: {}", ScoreRange(i), bins[i]));
  }
  return fmt::format(
      "<figure>\n<svg class=\"histogram\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "aria-label=\"Students by score. {2}\">\n{3}<line x1=\"0\" y1=\"{4:.0f}\" x2=\"{0:.0f}\" "
      "y2=\"{4:.0f}\"/>\n</svg>\n<figcaption>Students by score, in percent of all "
      "points</figcaption>\n</figure>\n",
      kBinWidth * kScoreBins, kHeight, fmt::join(words, "; "), bars, kBase);
}

}  // namespace warpcheck
