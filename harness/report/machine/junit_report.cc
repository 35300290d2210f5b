// Writes JUnit XML in the subset that Ant, Surefire, Jenkins, GitLab and the report actions accept.
// Each criterion is one flat suite, so that consumers which add up by suite show the rubric. Long
// texts are cut, so that the file stays below 30 MB whatever the submission does.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/exactness/exactness_text.h"
#include "report/machine/junit.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using tinyxml2::XMLElement;

// The most bytes of texts in a file, after escaping.
constexpr std::size_t kMaxTexts = std::size_t{24} << 20;
constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxOutput = std::size_t{64} << 10;

// Rounds to whole milliseconds, so that sums agree with the numbers that are printed.
std::int64_t Milliseconds(double seconds) {
  return std::isfinite(seconds) && seconds > 0 ? std::llround(std::min(seconds, 1e9) * 1000) : 0;
}

std::string SecondsText(std::int64_t milliseconds) {
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

CaseResult CaseOf(std::string name, Verdict verdict, std::string message) {
  CaseResult result{.name = std::move(name), .verdict = verdict};
  result.complaints.emplace_back().message = std::move(message);
  return result;
}

// Returns the cases of a suite: the criterion's cases, and a case for the criterion itself if its
// reason belongs to none of its cases.
std::vector<CaseResult> CasesOf(const Grade& grade, const CriterionGrade& criterion) {
  std::vector<CaseResult> cases = criterion.cases;
  const bool blocked = !criterion.reason.empty();
  if (cases.empty() || (blocked && criterion.verdict == Verdict::kHarnessFault)) {
    std::string message = criterion.reason;
    if (grade.attempt.build.error) message += "\n" + grade.attempt.build.error->log;
    cases.push_back(CaseOf(criterion.name, criterion.verdict, std::move(message)));
  } else if (blocked) {
    for (CaseResult& result : cases) {
      Complaint reason;
      reason.message =
          fmt::format("{}; by itself this test: {}", criterion.reason, Name(result.verdict));
      result.complaints.insert(result.complaints.begin(), std::move(reason));
      result.verdict = criterion.verdict;
    }
  }
  return cases;
}

std::string TextOf(const CaseResult& result) {
  std::string text;
  for (const Complaint& complaint : result.complaints) {
    if (!text.empty()) text += '\n';
    if (complaint.where.known()) text += complaint.where.Text() + ": ";
    text += complaint.message;
    if (!complaint.hint.empty()) text += "\nhint: " + complaint.hint;
  }
  return text;
}

bool IsTimed(const Grade& grade) {
  const auto timed = [](const CaseResult& result) { return result.seconds > 0; };
  return std::ranges::any_of(grade.information, timed) ||
         std::ranges::any_of(grade.criteria, [&](const CriterionGrade& criterion) {
           return std::ranges::any_of(criterion.cases, timed);
         });
}

class JunitWriter {
 public:
  explicit JunitWriter(const Grade& grade)
      : grade_(grade), timed_(IsTimed(grade)), exactness_(ExactnessText(grade)) {}

  std::string Write() {
    document_.InsertEndChild(document_.NewDeclaration());
    XMLElement* root = document_.NewElement("testsuites");
    document_.InsertEndChild(root);
    JunitTally all;
    for (const CriterionGrade& criterion : grade_.criteria) {
      XMLElement* suite = NewSuite(root, criterion.name);
      AddProperties(suite, &criterion);
      all += AddCases(suite, criterion.id, CasesOf(grade_, criterion));
      AddOutput(suite);
    }
    if (!grade_.information.empty()) {
      XMLElement* suite = NewSuite(root, "Without points");
      AddProperties(suite, nullptr);
      all += AddCases(suite, "without-points", grade_.information);
    }
    root->SetAttribute("name", Neutral(grade_.attempt.assignment, kMaxName).c_str());
    SetCounts(root, all);
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }

 private:
  void SetCounts(XMLElement* element, const JunitTally& tally) const {
    element->SetAttribute("tests", tally.tests);
    element->SetAttribute("failures", tally.failures);
    element->SetAttribute("errors", tally.errors);
    SetTime(element, tally.milliseconds);
  }

  // Leaves the attribute out if there are no times, as in grades of a batch
  // (batch/marks/outputs.h).
  void SetTime(XMLElement* element, std::int64_t milliseconds) const {
    if (timed_) element->SetAttribute("time", SecondsText(milliseconds).c_str());
  }

  static XMLElement* NewSuite(XMLElement* root, const std::string& name) {
    XMLElement* suite = root->InsertNewChildElement("testsuite");
    suite->SetAttribute("name", Neutral(name, kMaxName).c_str());
    return suite;
  }

  void AddProperties(XMLElement* suite, const CriterionGrade* criterion) const {
    XMLElement* properties = suite->InsertNewChildElement("properties");
    const auto add = [properties](const char* name, std::string_view value) {
      XMLElement* property = properties->InsertNewChildElement("property");
      property->SetAttribute("name", name);
      property->SetAttribute("value", Neutral(value).c_str());
    };
    if (criterion != nullptr) {
      add("score", criterion->points.Text());
      add("max_score", criterion->max_points.Text());
      add("verdict", Name(criterion->verdict));
    }
    add("graded_with", GradedWith(grade_.attempt));
    add("device", grade_.attempt.device);
    if (!exactness_.empty()) add("exactness", exactness_);
    add("seed", std::to_string(grade_.attempt.seed));
    add("submission", grade_.attempt.submission);
  }

  JunitTally AddCases(XMLElement* suite, const std::string& class_name,
                      const std::vector<CaseResult>& cases) {
    JunitTally tally;
    for (const CaseResult& result : cases) AddCase(suite, class_name, result, tally);
    SetCounts(suite, tally);
    suite->SetAttribute("skipped", tally.skipped);
    suite->SetAttribute("timestamp", TimeText(grade_.attempt.started).c_str());
    suite->SetAttribute("hostname", "localhost");
    return tally;
  }

  void AddCase(XMLElement* suite, const std::string& class_name, const CaseResult& result,
               JunitTally& tally) {
    XMLElement* element = suite->InsertNewChildElement("testcase");
    const std::string shown_class = Neutral(class_name, kMaxName);
    element->SetAttribute("classname", shown_class.c_str());
    element->SetAttribute("name", UniqueName(shown_class, result.name).c_str());
    const std::int64_t time = Milliseconds(result.seconds);
    SetTime(element, time);
    tally.Add(result.verdict, time);
    if (result.verdict == Verdict::kPassed) return;
    XMLElement* outcome = element->InsertNewChildElement(JunitElement(result.verdict));
    const std::string verdict(Name(result.verdict));
    std::string text = texts_.Within(TextOf(result));
    if (text.find_first_not_of(" \t\n") == std::string::npos) text = verdict;
    text.erase(0, text.find_first_not_of('\n'));
    outcome->SetAttribute("message", text.substr(0, text.find('\n')).c_str());
    outcome->SetAttribute("type", verdict.c_str());
    if (!result.complaints.empty()) {
      text += PlaceForJunit(result.complaints.front().where, shown_class);
    }
    outcome->SetText(text.c_str());
  }

  // Makes names unique, because consumers drop a second case with the same class and name, and
  // long names may be equal after they are cut.
  std::string UniqueName(const std::string& class_name, const std::string& name) {
    const std::string clean = Neutral(name, kMaxName);
    std::string unique = clean;
    for (int n = 2; !names_.emplace(class_name, unique).second; ++n) {
      unique = fmt::format("{} ({})", clean, n);
    }
    return unique;
  }

  // Adds the output of the whole submission, only to the first suite.
  void AddOutput(XMLElement* suite) {
    const Attempt& attempt = grade_.attempt;
    std::string text;
    const auto add = [&text](std::string_view title, const std::string& output) {
      if (!output.empty()) text += fmt::format("{}\n{}\n", title, Neutral(output, kMaxOutput));
    };
    if (suite->PreviousSiblingElement() != nullptr) return;
    if (attempt.build.artifact) add("nvcc warns:", attempt.build.artifact->warnings);
    add("The kernels printed:", attempt.report.device_output);
    add("The host code printed:", attempt.report.host_output);
    if (!text.empty()) suite->InsertNewChildElement("system-out")->SetText(text.c_str());
  }

  const Grade& grade_;
  const bool timed_;
  const std::string exactness_;
  tinyxml2::XMLDocument document_;
  std::set<std::pair<std::string, std::string>> names_;
  JunitTexts texts_{kMaxTexts};
};

}  // namespace

std::string JunitReport(const Grade& grade) { return JunitWriter(grade).Write(); }

}  // namespace warpcheck
