#include <fmt/chrono.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

#include "report/clean_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kMaxTexts = std::size_t{16} << 20;  // of all messages together
constexpr std::size_t kMaxMessage = 4096;

// A submission's text must not make a consumer attach files or set properties.
std::string Neutral(std::string_view text, std::size_t max_bytes = kMaxMessage) {
  std::string clean = CleanText(text, max_bytes);
  for (const std::string_view mark : {"[[ATTACHMENT|", "[[PROPERTY|"}) {
    for (std::size_t at; (at = clean.find(mark)) != std::string::npos;) clean.insert(at + 1, " ");
  }
  return clean;
}

std::string Timestamp(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

struct Tally {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  double seconds = 0;

  Tally& operator+=(const Tally& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
    return *this;
  }
};

class Writer {
 public:
  std::string Write(const Grade& grade) {
    document_.InsertEndChild(document_.NewDeclaration());
    XMLElement* root = document_.NewElement("testsuites");
    document_.InsertEndChild(root);
    Tally all;
    for (const CriterionGrade& criterion : grade.criteria) {
      all += Suite(root, grade, criterion);
    }
    root->SetAttribute("name", Neutral(grade.attempt.assignment).c_str());
    SetTally(root, all);
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }

 private:
  static void SetTally(XMLElement* element, const Tally& tally) {
    element->SetAttribute("tests", tally.tests);
    element->SetAttribute("failures", tally.failures);
    element->SetAttribute("errors", tally.errors);
    element->SetAttribute("skipped", tally.skipped);
    element->SetAttribute("time", fmt::format("{:.3f}", tally.seconds).c_str());
  }

  static void Property(XMLElement* properties, const char* name, const std::string& value) {
    XMLElement* property = properties->InsertNewChildElement("property");
    property->SetAttribute("name", name);
    property->SetAttribute("value", Neutral(value).c_str());
  }

  Tally Suite(XMLElement* root, const Grade& grade, const CriterionGrade& criterion) {
    XMLElement* suite = root->InsertNewChildElement("testsuite");
    suite->SetAttribute("name", Neutral(criterion.name).c_str());
    XMLElement* properties = suite->InsertNewChildElement("properties");
    Property(properties, "score", criterion.points.Text());
    Property(properties, "max_score", criterion.max_points.Text());
    Property(properties, "verdict", std::string(Name(criterion.verdict)));
    Property(properties, "device", grade.attempt.device);
    Property(properties, "seed", std::to_string(grade.attempt.seed));
    Property(properties, "submission", grade.attempt.submission);
    Tally tally;
    const bool blocked = !criterion.reason.empty();
    if (criterion.cases.empty() || (blocked && criterion.verdict == Verdict::kHarnessFault)) {
      CaseResult whole;
      whole.name = criterion.name;
      whole.verdict = criterion.verdict;
      whole.complaints.emplace_back().message = criterion.reason;
      if (grade.attempt.build.error) {
        whole.complaints.front().message += "\n" + grade.attempt.build.error->log;
      }
      Case(suite, criterion, whole, tally);
    } else {
      for (CaseResult result : criterion.cases) {
        if (blocked) {
          const std::string own(Name(result.verdict));
          result.verdict = criterion.verdict;
          result.complaints.emplace(result.complaints.begin())->message =
              fmt::format("{}; by itself this test: {}", criterion.reason, own);
        }
        Case(suite, criterion, result, tally);
      }
    }
    SetTally(suite, tally);
    suite->SetAttribute("timestamp", Timestamp(grade.attempt.started).c_str());
    suite->SetAttribute("hostname", "localhost");
    return tally;
  }

  void Case(XMLElement* suite, const CriterionGrade& criterion, const CaseResult& result,
            Tally& tally) {
    XMLElement* element = suite->InsertNewChildElement("testcase");
    element->SetAttribute("classname", Neutral(criterion.id).c_str());
    element->SetAttribute("name", Neutral(result.name).c_str());
    element->SetAttribute("time", fmt::format("{:.3f}", result.seconds).c_str());
    ++tally.tests;
    tally.seconds += result.seconds;
    if (result.verdict == Verdict::kPassed) return;
    const char* kind = "error";
    if (result.verdict == Verdict::kFailed) {
      kind = "failure";
      ++tally.failures;
    } else if (result.verdict == Verdict::kSkipped || result.verdict == Verdict::kNotMeasured) {
      kind = "skipped";
      ++tally.skipped;
    } else {
      ++tally.errors;
    }
    XMLElement* outcome = element->InsertNewChildElement(kind);
    const std::string text = Bounded(TextOf(result));
    outcome->SetAttribute("message", text.substr(0, text.find('\n')).c_str());
    outcome->SetAttribute("type", std::string(Name(result.verdict)).c_str());
    outcome->SetText(text.c_str());
  }

  static std::string TextOf(const CaseResult& result) {
    std::string text;
    for (const Complaint& complaint : result.complaints) {
      if (!text.empty()) text += '\n';
      if (complaint.where.known()) text += complaint.where.Text() + ": ";
      text += complaint.message;
      if (!complaint.hint.empty()) text += "\nhint: " + complaint.hint;
    }
    return text;
  }

  std::string Bounded(const std::string& text) {
    std::string clean =
        Neutral(text, std::min(kMaxMessage, kMaxTexts - std::min(kMaxTexts, used_)));
    used_ += 12 * clean.size();  // twice, and escaped: '"' becomes six bytes
    return clean;
  }

  tinyxml2::XMLDocument document_;
  std::size_t used_ = 0;
};

}  // namespace

std::string JunitReport(const Grade& grade) { return Writer().Write(grade); }

}  // namespace warpcheck
