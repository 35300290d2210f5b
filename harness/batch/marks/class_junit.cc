#include "batch/marks/class_junit.h"

#include <tinyxml2.h>

#include <string>
#include <vector>

#include "report/machine/junit.h"
#include "report/wording.h"

namespace warpcheck::batch {
namespace {

// The most bytes of texts in a file, after escaping.
constexpr std::size_t kMaxTexts = std::size_t{8} << 20;
constexpr std::size_t kMaxName = 256;

// Returns the criteria of a student; without a grade, each says that it is not graded yet.
std::vector<CriterionCell> CellsOf(const Line& line, const Rubric& rubric) {
  if (line.row) return line.row->criteria;
  CriterionCell cell;
  cell.says = "not graded yet";
  return std::vector<CriterionCell>(rubric.criteria.size(), cell);
}

JunitTally TallyOf(const std::vector<CriterionCell>& cells) {
  JunitTally tally;
  for (const CriterionCell& cell : cells) tally.Add(cell.verdict);
  return tally;
}

class Writer {
 public:
  explicit Writer(const Table& table) : table_(table) {}

  std::string Write() {
    xml_.PushHeader(false, true);
    xml_.OpenElement("testsuites");
    Attribute("name", Neutral(table_.rubric.title, kMaxName));
    JunitTally all;
    for (const Line& line : table_.lines) all += TallyOf(CellsOf(line, table_.rubric));
    AddCounts(all);
    for (const Line& line : table_.lines) AddSuite(line);
    xml_.CloseElement();
    return {xml_.CStr(), static_cast<std::size_t>(xml_.CStrSize() - 1)};
  }

 private:
  void Attribute(const char* name, const std::string& value) {
    xml_.PushAttribute(name, value.c_str());
  }

  void AddCounts(const JunitTally& tally) {
    Attribute("tests", std::to_string(tally.tests));
    Attribute("failures", std::to_string(tally.failures));
    Attribute("errors", std::to_string(tally.errors));
  }

  void AddSuite(const Line& line) {
    const std::vector<CriterionCell> cells = CellsOf(line, table_.rubric);
    const JunitTally tally = TallyOf(cells);
    xml_.OpenElement("testsuite");
    Attribute("name", line.entry.id);
    AddCounts(tally);
    Attribute("skipped", std::to_string(tally.skipped));
    Attribute("timestamp", TimeText(table_.begun));
    Attribute("hostname", "localhost");
    AddProperties(line);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      AddCase(line.entry.id, table_.rubric.criteria[i], cells[i]);
    }
    xml_.CloseElement();
  }

  void AddProperties(const Line& line) {
    xml_.OpenElement("properties");
    const auto add = [this](const char* name, const std::string& value) {
      xml_.OpenElement("property");
      Attribute("name", name);
      Attribute("value", value);
      xml_.CloseElement();
    };
    if (!line.entry.name.empty()) add("student", Neutral(line.entry.name, kMaxName));
    if (line.mark.score) add("score", line.mark.score->Text());
    add("max_score", table_.rubric.Total().Text());
    if (line.row) add("verdict", std::string(Name(line.row->verdict)));
    xml_.CloseElement();
  }

  void AddCase(const std::string& id, const Criterion& criterion, const CriterionCell& cell) {
    xml_.OpenElement("testcase");
    Attribute("classname", id);
    Attribute("name", Neutral(criterion.name, kMaxName));
    if (const char* const element = JunitElement(cell.verdict)) {
      const std::string verdict(Name(cell.verdict));
      const std::string says = texts_.Within(SaysWhere(cell));
      const std::string& text = says.empty() ? verdict : says;
      xml_.OpenElement(element);
      Attribute("message", text);
      Attribute("type", verdict);
      xml_.PushText((text + PlaceForJunit(cell.where, id)).c_str());
      xml_.CloseElement();
    }
    xml_.CloseElement();
  }

  const Table& table_;
  tinyxml2::XMLPrinter xml_;
  JunitTexts texts_{kMaxTexts};
};

}  // namespace

std::string ClassJunit(const Table& table) { return Writer(table).Write(); }

}  // namespace warpcheck::batch
