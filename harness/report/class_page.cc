#include "report/class_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <numeric>
#include <utility>
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

// Null for nobody.
PageModel StudentsModel(PageModel students) {
  if (students.empty()) return {};
  const std::size_t count = students.size();
  return {{"count", count},
          {"student_count", CountOf(count, "student")},
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
            {"student_count", CountOf(page_.rows.size(), "student")},
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
            {"refused_files", Asides(page_.refused)},
            {"superseded_files", Asides(page_.superseded)}};
  }

 private:
  static constexpr std::size_t kMaxReason = 1000;
  static constexpr std::size_t kMaxComplaints = 10;  // that are shown

  PageModel Files() const {
    PageModel files;
    for (const ClassPage::Link& link : page_.links) {
      files["links"].push_back({{"address", link.address},
                                {"text", link.text},
                                {"is_first", &link == &page_.links.front()}});
    }
    return files;
  }

  // What only a class has in which somebody has a final score.
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

  // Of those with a final score: a skipped criterion is lost too.
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

  static PageModel Asides(const std::vector<ClassPage::Aside>& asides) {
    PageModel model;
    for (const ClassPage::Aside& aside : asides) {
      model["files"].push_back({{"what", Shortened(aside.what, kMaxNameShown)},
                                {"reason", Shortened(aside.reason, kMaxReason)}});
    }
    return model;
  }

  const ClassPage& page_;
  std::vector<const Row*> scored_;  // with a final score
  std::map<std::string, const Row*> by_id_;
};

}  // namespace

PageModel StudentModel(const Row& row, std::string_view anchor, std::string_view remark) {
  return {{"name", Shortened(row.name.empty() ? row.id : row.name, kMaxNameShown)},
          {"page",
           row.state == Row::State::kGraded ? fmt::format("class/{}.html{}", row.id, anchor) : ""},
          {"remark", Shortened(remark, kMaxNameShown)}};
}

std::string HtmlClassPage(const ClassPage& page) {
  return HtmlPage("class", page.title, ClassPageModel(page).Make(),
                  {.script = page.rows.empty() ? "" : "class.js"});
}

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
constexpr int kBinWidth = 32;
constexpr int kBarWidth = 26;
constexpr int kTop = 16;  // of the highest bar: its number stands above
constexpr int kBase = 120;
constexpr int kHeight = 138;

}  // namespace

std::size_t ScoreBin(Points score, Points max) {
  if (score >= max) return kScoreBins - 1;
  return static_cast<std::size_t>(score.hundredths() * 10 / max.hundredths());
}

std::string ScoreRange(std::size_t bin) {
  return bin == kScoreBins - 1 ? "all points" : fmt::format("{} to {} %", 10 * bin, 10 * bin + 9);
}

PageModel HistogramModel(const ScoreBins& bins) {
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(bins));
  std::vector<std::string> words;
  PageModel columns = PageModel::array();
  for (std::size_t i = 0; i < kScoreBins; ++i) {
    const int left = kBinWidth * static_cast<int>(i) + (kBinWidth - kBarWidth) / 2;
    const double height = (kBase - kTop) * static_cast<double>(bins[i]) / static_cast<double>(most);
    PageModel& column = columns.emplace_back(
        PageModel{{"middle", left + kBarWidth / 2},
                  {"label", i == kScoreBins - 1 ? "all" : std::to_string(10 * i)},
                  {"bar", nullptr}});
    if (bins[i] == 0) continue;
    words.push_back(fmt::format("{}: {}", ScoreRange(i), bins[i]));
    column["bar"] = {{"x", left},
                     {"y", fmt::format("{:.1f}", kBase - height)},
                     {"width", kBarWidth},
                     {"height", fmt::format("{:.1f}", height)},
                     {"text_y", fmt::format("{:.1f}", kBase - height - 4)},
                     {"students", bins[i]}};
  }
  return {{"width", kBinWidth * kScoreBins},
          {"height", kHeight},
          {"base", kBase},
          {"label_y", kHeight - 4},
          {"words", fmt::format("{}", fmt::join(words, "; "))},
          {"columns", std::move(columns)}};
}

}  // namespace warpcheck
