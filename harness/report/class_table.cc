// The rows of a class's page, and what sorts, searches and filters them. The controls are hidden
// until the script is there; it reads the rows as they are shown, and these of their attributes:
// data-result, data-lost (numbers of criteria, from 1), data-late, data-open, data-section.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/class_page.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/text.h"

namespace warpcheck {
namespace {

using Row = ClassPage::Row;

constexpr std::size_t kMaxNote = 1000;

std::string Option(std::string_view value, std::string_view text) {
  return fmt::format("<option value=\"{}\">{}</option>", HtmlAttribute(value),
                     HtmlAttribute(text, kMaxNameShown));
}

std::string Select(std::string_view id, std::string_view label, std::string_view options) {
  return fmt::format("<label>{} <select id=\"{}\">{}</select></label>\n", label, id, options);
}

std::string Box(std::string_view id, std::string_view label) {
  return fmt::format("<label><input type=\"checkbox\" id=\"{}\"> {}</label>\n", id, label);
}

class ClassTable {
 public:
  explicit ClassTable(const ClassPage& page) : page_(page) {}

  std::string Write() {
    Controls();
    html_ +=
        "<table class=\"cards grades\" id=\"list\">\n<thead><tr><th scope=\"col\">Student</th>"
        "<th scope=\"col\" class=\"number\">Score</th><th scope=\"col\">Result</th>";
    for (const ClassPage::Criterion& criterion : page_.criteria) {
      html_ += fmt::format("<th scope=\"col\" class=\"number\">{}</th>",
                           HtmlText(criterion.name, kMaxNameShown));
    }
    html_ += "<th scope=\"col\">Note</th></tr></thead>\n<tbody>\n";
    for (const Row& row : page_.rows) Student(row);
    html_ += "</tbody>\n</table>\n";
    return std::move(html_);
  }

 private:
  void Controls() {
    std::set<std::string_view> words;
    std::set<std::string> sections;
    for (const Row& row : page_.rows) {
      words.insert(ResultWord(row));
      if (!row.section.empty()) sections.insert(row.section);
    }
    std::string results = Option("", "any");
    for (const std::string_view word : words) results += Option(word, word);
    std::string of_sections = Option("", "all");
    for (const std::string& section : sections) of_sections += Option(section, section);
    std::string lost = Option("", "anything or nothing");
    std::string order =
        Option("", "id") + Option("0", "name") + Option("1", "score") + Option("2", "result");
    std::size_t column = 2;
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) {
      lost += Option(std::to_string(i + 1), page_.criteria[i].name);
      order += Option(std::to_string(++column), page_.criteria[i].name);
    }
    order += Option(std::to_string(column + 1), "note");
    html_ +=
        "<div class=\"filter\" id=\"filter\" role=\"search\" aria-label=\"Students\" hidden=\"\">\n"
        "<label>Name or id <input type=\"search\" id=\"find\" autocomplete=\"off\"></label>\n" +
        Select("result", "Result", results) + Select("lost", "Lost", lost);
    if (!sections.empty()) html_ += Select("section", "Section", of_sections);
    html_ += Box("late", "late") + Box("open", "not final") + Select("order", "Order by", order) +
             Box("down", "downwards") +
             "<button type=\"button\" id=\"clear\">Show all</button>\n</div>\n"
             "<p class=\"soft\" id=\"shown\" role=\"status\"></p>\n";
  }

  void Student(const Row& row) {
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < std::min(row.cells.size(), page_.criteria.size()); ++i) {
      if (row.score_is_final && row.cells[i].points < page_.criteria[i].points)
        lost.push_back(i + 1);
    }
    html_ += fmt::format(
        "<tr data-result=\"{}\"{}{}{}{}><th scope=\"row\">{}", ResultWord(row),
        lost.empty() ? "" : fmt::format(" data-lost=\"{}\"", fmt::join(lost, " ")),
        row.late ? " data-late=\"1\"" : "", row.score_is_final ? "" : " data-open=\"1\"",
        row.section.empty()
            ? ""
            : fmt::format(" data-section=\"{}\"", HtmlAttribute(row.section, kMaxNameShown)),
        HtmlStudent(row));
    std::string more = row.name == row.id ? "" : "<bdi>" + HtmlText(row.id) + "</bdi>";
    if (!row.section.empty()) {
      more += (more.empty() ? "" : " · ") + HtmlText(row.section, kMaxNameShown);
    }
    if (!more.empty()) html_ += " <span class=\"soft\">" + more + "</span>";
    html_ +=
        fmt::format("</th><td class=\"number points\">{}</td><td>{}</td>", Score(row), Result(row));
    for (std::size_t i = 0; i < page_.criteria.size(); ++i) Cell(row, i);
    html_ += fmt::format("<td>{}</td></tr>\n", Note(row));
  }

  static std::string Score(const Row& row) {
    if (row.score_is_final) return row.score.Text();
    if (row.state != Row::State::kGraded) return "-";
    return row.score.Text() + " <span class=\"open\">not final</span>";
  }

  static std::string Result(const Row& row) {
    if (row.state == Row::State::kGraded) return HtmlVerdict(row.verdict);
    return fmt::format("<span class=\"verdict open\">{}</span>", ResultWord(row));
  }

  // On a narrow screen those that cost nothing are left out (pages/style.css).
  void Cell(const Row& row, std::size_t i) {
    if (i >= row.cells.size()) {
      html_ += "<td class=\"number full\">-</td>";
      return;
    }
    html_ += fmt::format("<td class=\"number{}\" data-label=\"{}\">{}</td>",
                         row.cells[i].points >= page_.criteria[i].points ? " good full" : "",
                         HtmlAttribute(page_.criteria[i].name, kMaxNameShown),
                         row.cells[i].points.Text());
  }

  static std::string Note(const Row& row) {
    std::string note;
    if (row.late) note += "<strong class=\"open\">late</strong> ";
    if (!row.submitted.empty()) note += HtmlText(row.submitted, kMaxNameShown) + " ";
    return note + HtmlText(row.note, kMaxNote);
  }

  const ClassPage& page_;
  std::string html_;
};

}  // namespace

std::string_view ResultWord(const Row& row) {
  if (row.state == Row::State::kGraded) return VerdictWord(row.verdict);
  if (row.state == Row::State::kNotGraded) return "not graded";
  return row.state == Row::State::kRefused ? "refused" : "missing";
}

std::string HtmlClassTable(const ClassPage& page) { return ClassTable(page).Write(); }

}  // namespace warpcheck
