#include "report/class_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <numeric>

#include "report/html_page.h"
#include "report/text.h"

namespace warpcheck {
namespace {

std::string Count(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

// Hundredths of points, rounded to one.
std::string Mean(double hundredths) { return fmt::format("{:.1f}", hundredths / 100); }

class ClassPageWriter {
 public:
  ClassPageWriter(const ClassPage& page, ClassOrder order) : page_(page), order_(order) {
    for (const ClassPage::Row& row : page.rows) {
      if (row.graded && row.score_is_final) scores_.push_back(row.score.hundredths());
    }
    std::ranges::sort(scores_);
  }

  std::string Write() {
    html_ += fmt::format(
        "<a class=\"skip\" href=\"#grades\">Skip to the grades</a>\n<main>\n<h1>{}</h1>\n",
        HtmlText(page_.title, kMaxName));
    Summary();
    if (!scores_.empty()) Distribution();
    Criteria();
    Grades();
    Identical();
    if (page_.has_similarity) html_ += "<p><a href=\"similar.html\">Similar submissions</a></p>\n";
    Asides("Refused: a person has to look", page_.refused);
    Asides("Handed in nothing", page_.missing, "Who", "Section");
    Asides("Superseded by a newer one", page_.superseded);
    html_ += "</main>\n";
    return HtmlPage(page_.title, html_);
  }

 private:
  static constexpr std::size_t kMaxName = 300;
  static constexpr std::size_t kMaxReason = 1000;
  static constexpr std::size_t kBins = 11;  // tenths, and full marks

  void Summary() {
    const auto late = std::ranges::count_if(page_.rows, &ClassPage::Row::late);
    html_ += fmt::format("<p>{}, {} with a final score{}. Begun {:%Y-%m-%d %H:%M} UTC.</p>\n",
                         Count(page_.rows.size(), "submission", "submissions"), scores_.size(),
                         late > 0 ? fmt::format(", {} late", late) : "",
                         fmt::gmtime(static_cast<std::time_t>(page_.begun)));
    if (scores_.empty()) return;
    const double sum = std::accumulate(scores_.begin(), scores_.end(), 0.0);
    const std::size_t half = scores_.size() / 2;
    const double median = scores_.size() % 2 == 1
                              ? static_cast<double>(scores_[half])
                              : static_cast<double>(scores_[half - 1] + scores_[half]) / 2;
    html_ += fmt::format("<p class=\"score\">mean {}, median {} of {} points</p>\n",
                         Mean(sum / static_cast<double>(scores_.size())), Mean(median),
                         page_.max_score.Text());
  }

  void Distribution() {
    std::array<std::size_t, kBins> bins{};
    const auto full = page_.max_score.hundredths();
    for (const auto score : scores_) {
      const auto tenth = full == 0 ? kBins - 1 : static_cast<std::size_t>(score * 10 / full);
      ++bins[std::min(tenth, kBins - 1)];
    }
    const auto most = static_cast<double>(*std::ranges::max_element(bins));
    html_ +=
        "<h2>Scores</h2>\n<table class=\"narrow\">\n<thead><tr><th scope=\"col\">Of all points</th>"
        "<th scope=\"col\" class=\"number\">Submissions</th><th scope=\"col\">Compared</th></tr>"
        "</thead>\n<tbody>\n";
    for (std::size_t i = kBins; i-- > 0;) {
      const std::string range =
          i == kBins - 1 ? "all" : fmt::format("{} to {} %", 10 * i, 10 * i + 9);
      html_ += fmt::format(
          "<tr><th scope=\"row\" class=\"range\">{}</th><td "
          "class=\"number\">{}</td><td>{}</td></tr>\n",
          range, bins[i], HtmlBar(static_cast<double>(bins[i]), most));
    }
    html_ += "</tbody>\n</table>\n";
  }

  // Of those with a final score: a skipped criterion is lost too.
  void Criteria() {
    html_ +=
        "<h2>Where points were lost</h2>\n<table class=\"cards narrow\">\n<thead><tr><th "
        "scope=\"col\">Criterion</th><th scope=\"col\" class=\"number\">Points</th><th "
        "scope=\"col\" "
        "class=\"number\">Lost on average</th><th scope=\"col\" class=\"number\">Submissions that "
        "lost</th><th scope=\"col\">Share lost</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) {
      const ClassPage::Criterion& criterion = page_.criteria[i];
      std::size_t losers = 0;
      double lost = 0;
      for (const ClassPage::Row& row : page_.rows) {
        if (!row.graded || !row.score_is_final || i >= row.cells.size()) continue;
        lost +=
            static_cast<double>((criterion.points.hundredths() - row.cells[i].points.hundredths()));
        losers += row.cells[i].points < criterion.points ? 1 : 0;
      }
      const double mean = scores_.empty() ? 0 : lost / static_cast<double>(scores_.size());
      html_ += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"number\" data-label=\"Points\">{}</td>"
          "<td class=\"number\" data-label=\"Lost on average\">{}</td>"
          "<td class=\"number\" data-label=\"Submissions that lost\">{}</td><td>{}</td></tr>\n",
          HtmlText(criterion.name, kMaxName), criterion.points.Text(), Mean(mean), losers,
          HtmlBar(mean, static_cast<double>(criterion.points.hundredths())));
    }
    html_ += "</tbody>\n</table>\n";
  }

  std::vector<const ClassPage::Row*> Rows() const {
    std::vector<const ClassPage::Row*> rows;
    for (const ClassPage::Row& row : page_.rows) rows.push_back(&row);
    if (order_ == ClassOrder::kById) return rows;
    std::ranges::stable_sort(rows, std::ranges::greater(), [](const ClassPage::Row* row) {
      return row->graded ? row->score.hundredths() : -1;
    });
    return rows;
  }

  void Grades() {
    const bool by_id = order_ == ClassOrder::kById;
    html_ += fmt::format(
        "<h2 id=\"grades\">Grades</h2>\n<nav aria-label=\"Order\"><p>{} · {}</p></nav>\n"
        "<table class=\"cards\">\n<thead><tr><th scope=\"col\"{}>Submission</th>"
        "<th scope=\"col\"{} class=\"number\">Score</th><th scope=\"col\">Result</th>",
        by_id ? "by name" : fmt::format("<a href=\"{}#grades\">by name</a>", kClassPage),
        by_id ? fmt::format("<a href=\"{}#grades\">by score</a>", kClassPageByScore) : "by score",
        by_id ? " aria-sort=\"ascending\"" : "", by_id ? "" : " aria-sort=\"descending\"");
    for (const ClassPage::Criterion& criterion : page_.criteria) {
      html_ += fmt::format("<th scope=\"col\" class=\"number\">{}</th>",
                           HtmlText(criterion.name, kMaxName));
    }
    html_ += "<th scope=\"col\">Note</th></tr></thead>\n<tbody>\n";
    for (const ClassPage::Row* row : Rows()) Grade(*row);
    html_ += "</tbody>\n</table>\n";
  }

  void Grade(const ClassPage::Row& row) {
    const std::string name = "<bdi>" + HtmlText(row.name, kMaxName) + "</bdi>";
    html_ += "<tr><th scope=\"row\">";
    html_ += row.graded
                 ? fmt::format("<a href=\"class/{}.html\">{}</a>", HtmlAttribute(row.id), name)
                 : name;
    if (row.name != row.id) html_ += " <span class=\"soft\">" + HtmlText(row.id) + "</span>";
    html_ += "</th>";
    if (row.graded) {
      html_ += fmt::format(
          "<td class=\"number\" data-label=\"Score\">{}{}</td><td data-label=\"Result\">{}</td>",
          row.score.Text(), row.score_is_final ? "" : " <span class=\"open\">not final</span>",
          HtmlVerdict(row.verdict));
    } else {
      html_ +=
          "<td class=\"number\" data-label=\"Score\">-</td>"
          "<td data-label=\"Result\"><span class=\"verdict open\">not graded</span></td>";
    }
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) Cell(row, i);
    html_ += fmt::format("<td>{}</td></tr>\n", Note(row));
  }

  void Cell(const ClassPage::Row& row, std::size_t i) {
    const bool known = row.graded && i < row.cells.size();
    const bool full = known && row.cells[i].points == page_.criteria[i].points;
    html_ += fmt::format("<td class=\"number{}\" data-label=\"{}\">{}</td>", full ? " good" : "",
                         HtmlAttribute(page_.criteria[i].name, kMaxName),
                         known ? row.cells[i].points.Text() : "-");
  }

  static std::string Note(const ClassPage::Row& row) {
    std::string note;
    if (row.late) note += "<strong class=\"open\">late</strong> ";
    if (!row.submitted.empty()) note += HtmlText(row.submitted, kMaxName) + " ";
    return note + HtmlText(row.note, kMaxReason);
  }

  void Identical() {
    if (page_.identical.empty()) return;
    html_ +=
        "<h2>The same files</h2>\n<p class=\"soft\">A hint, not a verdict: a template that nobody "
        "changed counts too.</p>\n<ul>\n";
    for (const auto& group : page_.identical) {
      html_ += "<li>";
      for (std::size_t i = 0; i < group.size(); ++i) {
        html_ += (i == 0 ? "" : ", ") + HtmlText(group[i], kMaxName);
      }
      html_ += "</li>\n";
    }
    html_ += "</ul>\n";
  }

  void Asides(std::string_view title, const std::vector<ClassPage::Aside>& asides,
              std::string_view what = "What", std::string_view why = "Why") {
    if (asides.empty()) return;
    html_ += fmt::format(
        "<h2>{}</h2>\n<table class=\"cards\">\n<thead><tr><th scope=\"col\">{}</th><th "
        "scope=\"col\">{}</th></tr></thead>\n<tbody>\n",
        title, what, why);
    for (const ClassPage::Aside& aside : asides) {
      html_ += fmt::format("<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td></tr>\n",
                           HtmlText(aside.what, kMaxName), HtmlText(aside.reason, kMaxReason));
    }
    html_ += "</tbody>\n</table>\n";
  }

  const ClassPage& page_;
  const ClassOrder order_;
  std::vector<std::int64_t> scores_;  // final ones, sorted
  std::string html_;
};

}  // namespace

std::string HtmlClassPage(const ClassPage& page, ClassOrder order) {
  return ClassPageWriter(page, order).Write();
}

}  // namespace warpcheck
