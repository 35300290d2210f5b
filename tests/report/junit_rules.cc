#include "report/junit_rules.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <regex>
#include <set>

namespace warpcheck {
namespace {

using tinyxml2::XMLElement;

struct Tally {
  std::map<std::string, std::int64_t> counts;
  std::int64_t milliseconds = 0;
};

std::string Attribute(const XMLElement* element, const char* name) {
  const char* value = element->Attribute(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::int64_t Milliseconds(const std::string& time) {
  if (time.empty()) return 0;  // another rule reports this
  const std::size_t dot = time.find('.');
  if (dot == std::string::npos) return std::stoll(time) * 1000;
  std::string decimals = time.substr(dot + 1);
  decimals.resize(3, '0');
  return std::stoll(time.substr(0, dot)) * 1000 + std::stoll(decimals);
}

class Rules {
 public:
  std::vector<std::string> Check(std::string_view xml) {
    CheckCharacters(xml);
    tinyxml2::XMLDocument document;
    if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS) {
      Broken(nullptr, std::string("not XML: ") + document.ErrorStr());
      return broken_;
    }
    const XMLElement* root = document.RootElement();
    if (std::strcmp(root->Name(), "testsuites") != 0) Broken(root, "the root is no <testsuites>");
    // Jenkins' xunit (junit-10.xsd) does not allow a count of skipped cases here.
    CheckAttributes(root, {"name", "tests", "failures", "errors", "time"});
    Tally all;
    for (auto* suite = root->FirstChildElement(); suite; suite = suite->NextSiblingElement()) {
      CheckSuite(suite, all);
    }
    CheckTally(root, all);
    return broken_;
  }

 private:
  void Broken(const XMLElement* element, const std::string& rule) {
    broken_.push_back(element == nullptr ? rule
                                         : fmt::format("line {}: {}", element->GetLineNum(), rule));
  }

  void CheckCharacters(std::string_view xml) {
    if (xml.size() >= 30'000'000) Broken(nullptr, "30 MB or more");
    for (const char c : xml) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 || byte == '\n' || byte == '\t') continue;
      Broken(nullptr, fmt::format("the forbidden byte 0x{:02x}", byte));
      return;
    }
    for (const std::string_view mark :
         {"[[ATTACHMENT|", "[[PROPERTY|", "\xef\xbf\xbe", "\xef\xbf\xbf"}) {
      if (xml.find(mark) != std::string_view::npos) Broken(nullptr, fmt::format("has {}", mark));
    }
    // This is well-formed UTF-8 by the table of the Unicode standard.
    static const std::regex kUtf8(
        "(?:[\\x00-\\x7f]|[\\xc2-\\xdf][\\x80-\\xbf]|\\xe0[\\xa0-\\xbf][\\x80-\\xbf]|"
        "[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}|\\xed[\\x80-\\x9f][\\x80-\\xbf]|"
        "\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}|[\\xf1-\\xf3][\\x80-\\xbf]{3}|"
        "\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2})");
    for (std::size_t at = 0; at < xml.size();) {
      if (static_cast<unsigned char>(xml[at]) < 0x80) {
        ++at;
        continue;
      }
      std::match_results<std::string_view::const_iterator> match;
      if (!std::regex_search(xml.begin() + static_cast<std::ptrdiff_t>(at), xml.end(), match, kUtf8,
                             std::regex_constants::match_continuous)) {
        Broken(nullptr, fmt::format("no UTF-8 at byte {}", at));
        return;
      }
      at += static_cast<std::size_t>(match.length());
    }
  }

  void CheckAttributes(const XMLElement* element, std::set<std::string> names) {
    std::set<std::string> found;
    for (auto* one = element->FirstAttribute(); one; one = one->Next()) found.insert(one->Name());
    if (!found.contains("time")) names.erase("time");  // this applies if no time was measured
    if (found != names) Broken(element, fmt::format("attributes of <{}>", element->Name()));
    static const std::regex kTime("[0-9]+(\\.[0-9]{1,3})?");
    if (names.contains("time") && !std::regex_match(Attribute(element, "time"), kTime)) {
      Broken(element, "time is \"" + Attribute(element, "time") + "\"");
    }
  }

  void CheckSuite(const XMLElement* suite, Tally& all) {
    if (std::strcmp(suite->Name(), "testsuite") != 0) Broken(suite, "no <testsuite>");
    CheckAttributes(
        suite, {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"});
    static const std::regex kTimestamp("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");
    if (!std::regex_match(Attribute(suite, "timestamp"), kTimestamp)) {
      Broken(suite, "timestamp is \"" + Attribute(suite, "timestamp") + "\"");
    }
    static const std::map<std::string, int> kOrder = {
        {"properties", 0}, {"testcase", 1}, {"system-out", 2}, {"system-err", 3}};
    int last = 0;
    Tally tally;
    for (auto* child = suite->FirstChildElement(); child; child = child->NextSiblingElement()) {
      const auto place = kOrder.find(child->Name());
      if (place == kOrder.end()) {
        Broken(child, fmt::format("<{}> in a suite", child->Name()));
        continue;
      }
      if (place->second < last) Broken(child, fmt::format("<{}> comes late", child->Name()));
      last = place->second;
      if (place->second == 1) CheckCase(child, tally);
    }
    CheckTally(suite, tally);
    for (const auto& [name, count] : tally.counts) all.counts[name] += count;
    all.milliseconds += tally.milliseconds;
  }

  void CheckCase(const XMLElement* element, Tally& tally) {
    CheckAttributes(element, {"classname", "name", "time"});
    const std::string name = Attribute(element, "name");
    if (name.empty()) Broken(element, "a case without a name");
    if (!cases_.emplace(Attribute(element, "classname"), name).second) {
      Broken(element, "a second case " + name);
    }
    ++tally.counts["tests"];
    tally.milliseconds += Milliseconds(Attribute(element, "time"));
    const XMLElement* outcome = element->FirstChildElement();
    if (outcome == nullptr) return;
    if (outcome->NextSiblingElement() != nullptr) Broken(element, "more than one outcome");
    static const std::map<std::string, std::string> kCounted = {
        {"failure", "failures"}, {"error", "errors"}, {"skipped", "skipped"}};
    const auto counted = kCounted.find(outcome->Name());
    if (counted == kCounted.end()) return Broken(outcome, "no outcome of a case");
    ++tally.counts[counted->second];
    CheckAttributes(outcome, {"message", "type"});
    const std::string message = Attribute(outcome, "message");
    const std::string text = outcome->GetText() == nullptr ? "" : outcome->GetText();
    if (message.empty()) Broken(outcome, "an empty message");
    if (!text.starts_with(message)) Broken(outcome, "the text does not repeat the message");
  }

  void CheckTally(const XMLElement* element, const Tally& tally) {
    const bool of_all = std::strcmp(element->Name(), "testsuites") == 0;
    for (const char* name : {"tests", "failures", "errors", "skipped"}) {
      if (of_all && std::strcmp(name, "skipped") == 0) continue;
      const auto count = tally.counts.find(name);
      const std::int64_t expected = count == tally.counts.end() ? 0 : count->second;
      if (Attribute(element, name) != std::to_string(expected)) {
        Broken(element,
               fmt::format("{} is {}, counted are {}", name, Attribute(element, name), expected));
      }
    }
    if (Milliseconds(Attribute(element, "time")) != tally.milliseconds) {
      Broken(element, "time is not the sum of its cases");
    }
  }

  std::vector<std::string> broken_;
  std::set<std::pair<std::string, std::string>> cases_;
};

}  // namespace

std::vector<std::string> BrokenJunitRules(std::string_view xml) { return Rules().Check(xml); }

}  // namespace warpcheck
