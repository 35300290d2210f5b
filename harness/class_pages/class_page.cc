#include "class_pages/class_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/text.h"
#include "class_pages/class_table.h"
#include "class_pages/common_complaints.h"
#include "class_pages/score_histogram.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using Row = ClassPage::Row;

// Returns a mean of hundredths of points, rounded to a tenth of a point.
std::string Mean(double hundredths) { return fmt::format("{:.1f}", hundredths / 100); }

// Returns the data of a list of students, or null if there are no students.
PageModel StudentsModel(PageModel students) {
  if (students.empty()) return {};
  const std::size_t count = students.size();
  return {{"count", count},
          {"student_count", Counted(count, "student")},
          {"students", std::move(students)}};
}

class ClassPageModel {
 public:
  explicit ClassPageModel(const ClassPage& page) : page_(page) {
    for (const Row& row : page.rows) {
      by_id_[row.id] = &row;
      if (row.score_is_final && row.state != Row::State::kMissing) scored_.push_back(&row);
    }
  }

  PageModel Make() const {
    using State = Row::State;
    return {{"title", Shortened(page_.title, kMaxNameShown)},
            {"student_count", Counted(page_.rows.size(), "student")},
            {"begun",
             fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(page_.begun)))},
            {"files", Files()},
            {"scored", scored_.empty() ? PageModel() : Scored()},
            {"late", Who([](const Row& row) { return row.late; })},
            {"not_final", Who([](const Row& row) {
               return !row.score_is_final && row.state != State::kRefused;
             })},
            {"refused", Who([](const Row& row) { return row.state == State::kRefused; })},
            {"missing", Who([](const Row& row) { return row.state == State::kMissing; })},
            {"table", page_.rows.empty() ? PageModel() : ClassTableModel(page_)},
            {"identical", Identical()},
            {"refused_files", ExcludedModel(page_.refused)},
            {"superseded_files", ExcludedModel(page_.superseded)}};
  }

 private:
  static constexpr std::size_t kMaxReason = 1000;
  static constexpr std::size_t kMaxComplaints = 10;  // the most complaints that are shown

  PageModel Files() const {
    PageModel files;
    for (const ClassPage::Link& link : page_.links) {
      files["links"].push_back({{"address", link.address},
                                {"text", link.text},
                                {"is_first", &link == &page_.links.front()}});
    }
    return files;
  }

  // Returns the data for the parts of the page that need a final score.
  PageModel Scored() const {
    PageModel model = Averages();
    Distribute(model);
    model["criteria"] = PageModel::array();
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) {
      model["criteria"].push_back(Criterion(i));
    }
    model["complaints"] = Complaints();
    return model;
  }

  PageModel Averages() const {
    std::vector<std::int64_t> scores;
    for (const Row* row : scored_) scores.push_back(row->score.hundredths());
    std::ranges::sort(scores);
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    const std::size_t half = scores.size() / 2;
    const double median = scores.size() % 2 == 1
                              ? static_cast<double>(scores[half])
                              : static_cast<double>(scores[half - 1] + scores[half]) / 2;
    return {{"mean", Mean(sum / static_cast<double>(scores.size()))},
            {"median", Mean(median)},
            {"max_score", Number(page_.max_score)}};
  }

  template <class Is>
  PageModel Who(Is is) const {
    PageModel students = PageModel::array();
    for (const Row& row : page_.rows) {
      if (is(row)) students.push_back(StudentModel(row));
    }
    return StudentsModel(std::move(students));
  }

  void Distribute(PageModel& model) const {
    ScoreBins bins{};
    std::array<PageModel, kScoreBins> students;
    for (const Row* row : scored_) {
      const std::size_t bin = ScoreBin(row->score, page_.max_score);
      ++bins[bin];
      students[bin].push_back(StudentModel(*row, "", row->score.Text()));
    }
    model["histogram"] = HistogramModel(bins);
    model["bins"] = PageModel::array();
    for (std::size_t i = kScoreBins; i-- > 0;) {
      if (bins[i] == 0) continue;
      PageModel& bin = model["bins"].emplace_back(StudentsModel(std::move(students[i])));
      bin["range"] = ScoreRange(i);
    }
  }

  // Returns the data of a criterion, over the students with a final score. A skipped criterion
  // counts as lost.
  PageModel Criterion(std::size_t i) const {
    const ClassPage::Criterion& criterion = page_.criteria[i];
    PageModel losers = PageModel::array();
    double lost = 0;
    std::size_t graded = 0;
    for (const Row* row : scored_) {
      if (i >= row->cells.size()) continue;
      ++graded;
      const Points points = row->cells[i].points;
      lost += static_cast<double>(criterion.points.hundredths() - points.hundredths());
      if (points < criterion.points) {
        losers.push_back(StudentModel(*row, fmt::format("#c{}", i + 1)));
      }
    }
    return {{"name", Shortened(criterion.name, kMaxNameShown)},
            {"points", Number(criterion.points)},
            {"lost", Mean(graded == 0 ? 0 : lost / static_cast<double>(graded))},
            {"bar", BarLength(static_cast<double>(losers.size()), static_cast<double>(graded))},
            {"graded", graded},
            {"losers", StudentsModel(std::move(losers))}};
  }

  PageModel Complaints() const {
    PageModel model;
    const std::vector<CommonComplaint> complaints = CommonComplaints(page_);
    for (std::size_t i = 0; i < std::min(complaints.size(), kMaxComplaints); ++i) {
      const CommonComplaint& complaint = complaints[i];
      PageModel students = PageModel::array();
      for (const CommonComplaint::Case& one : complaint.cases) {
        students.push_back(StudentModel(*one.row, fmt::format("#c{}", complaint.criterion + 1),
                                        one.where.known() ? one.where.Text() : ""));
      }
      PageModel& shown = model["commonest"].emplace_back(StudentsModel(std::move(students)));
      shown["says"] = Shortened(complaint.says, kMaxNameShown);
      shown["criterion"] = Shortened(page_.criteria[complaint.criterion].name, kMaxNameShown);
    }
    if (complaints.empty()) return model;
    const bool has_more = complaints.size() > kMaxComplaints;
    model["rarer"] = has_more ? PageModel(complaints.size() - kMaxComplaints) : PageModel();
    return model;
  }

  PageModel Identical() const {
    PageModel identical;
    for (const auto& group : page_.identical) {
      PageModel students = PageModel::array();
      for (const std::string& id : group) {
        const auto row = by_id_.find(id);
        Row unknown;
        unknown.id = id;
        students.push_back(StudentModel(row == by_id_.end() ? unknown : *row->second));
      }
      identical["groups"].push_back({{"students", std::move(students)}});
    }
    return identical;
  }

  static PageModel ExcludedModel(const std::vector<ClassPage::Excluded>& all) {
    PageModel model;
    for (const ClassPage::Excluded& excluded : all) {
      model["files"].push_back({{"what", Shortened(excluded.what, kMaxNameShown)},
                                {"reason", Shortened(excluded.reason, kMaxReason)}});
    }
    return model;
  }

  const ClassPage& page_;
  std::vector<const Row*> scored_;  // the rows with a final score
  std::map<std::string, const Row*> by_id_;
};

}  // namespace

std::string HtmlClassPage(const ClassPage& page) {
  return HtmlPage("class", page.title, ClassPageModel(page).Make(),
                  {.script = page.rows.empty() ? "" : "class.js"});
}

}  // namespace warpcheck
