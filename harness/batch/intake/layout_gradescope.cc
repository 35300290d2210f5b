// Reads Gradescope's "Export Submissions": a folder submission_<number>/ for each submission, and
// submission_metadata.yml. For each submission that file has :submitters: (:name:, :sid: and
// :email: of each student of a team) and :created_at:. Gradescope does not publish the format; this
// follows otter-grader (otter/metadata.py, GradescopeParser). Ruby writes the times: "2026-11-21
// 10:00:00.123456789 Z", "... +01:00".
#include <fmt/format.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include "base/files.h"
#include "batch/intake/layout.h"
#include "report/wording.h"

namespace warpcheck::batch {
namespace {

bool Recognises(const Export& exported) {
  return std::ranges::find(exported.files, kGradescopeList, &File::name) != exported.files.end();
}

// Returns the time in UTC, as in Entry::submitted; empty if the text is not a time.
std::string TimeOf(const std::string& text) {
  static const re2::RE2 kTime(R"((\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)? ?)"
                              R"((?:Z|UTC|([+-]\d\d):?(\d\d))?)",
                              re2::RE2::Latin1);
  int year = 0;
  unsigned month = 0, days = 0;
  int hours = 0, minutes = 0, seconds = 0;
  std::string zone_hours;  // such as "+01"
  std::string zone_minutes;
  if (!re2::RE2::FullMatch(text, kTime, &year, &month, &days, &hours, &minutes, &seconds,
                           &zone_hours, &zone_minutes)) {
    return {};
  }
  const std::chrono::year_month_day day{std::chrono::year(year), std::chrono::month(month),
                                        std::chrono::day(days)};
  if (!day.ok()) return {};
  int offset = 0;
  if (!zone_hours.empty()) {
    offset = std::stoi(zone_hours.substr(1)) * 60 + std::stoi(zone_minutes);
    if (zone_hours.front() == '-') offset = -offset;
  }
  const std::chrono::sys_seconds time = std::chrono::sys_days(day) + std::chrono::hours(hours) +
                                        std::chrono::minutes(minutes - offset) +
                                        std::chrono::seconds(seconds);
  return TimeText(time.time_since_epoch().count());
}

std::string Text(const YAML::Node& node) { return node && node.IsScalar() ? node.Scalar() : ""; }

struct Record {
  std::string who;   // such as "Anna Berg_100+Bo Dahl_200"
  std::string name;  // such as "Anna Berg, Bo Dahl"
  std::string submitted;
  std::vector<std::string> known_as{};  // their numbers and addresses
};

Record RecordOf(const YAML::Node& node) {
  Record record;
  if (!node.IsMap()) return record;
  record.submitted = TimeOf(Text(node[":created_at"]));
  const YAML::Node submitters = node[":submitters"];
  if (!submitters || !submitters.IsSequence()) return record;
  for (const YAML::Node& submitter : submitters) {
    if (!submitter.IsMap()) continue;
    const std::string name = Text(submitter[":name"]);
    std::string number = Text(submitter[":sid"]);
    if (number.empty()) number = Text(submitter[":email"]);
    if (name.empty() && number.empty()) continue;
    for (const char* key : {":sid", ":email"}) {
      if (std::string known = Text(submitter[key]); !known.empty()) {
        record.known_as.push_back(std::move(known));
      }
    }
    record.who += (record.who.empty() ? "" : "+") + name + (number.empty() ? "" : "_" + number);
    record.name += (record.name.empty() ? "" : ", ") + (name.empty() ? number : name);
  }
  return record;
}

Result<std::map<std::string, Record>> ReadList(const File& file) {
  if (!file.problem.empty()) return Fail(fmt::format("{} {}", file.name, file.problem));
  const auto text = WARPCHECK_TRY(ReadFile(file.contents, MaxBytes(kGradescopeList)));
  std::map<std::string, Record> records;
  try {
    const YAML::Node list = YAML::Load(text);
    if (!list.IsMap()) return Fail(fmt::format("{} is not a list of submissions", file.name));
    for (const auto& entry : list) records[Text(entry.first)] = RecordOf(entry.second);
  } catch (const YAML::Exception& error) {
    return Fail(error.msg, {.file = file.name, .line = error.mark.line + 1},
                "export the submissions again");
  }
  return records;
}

// Returns 11 for "submission_11", and 0 for other names. Later submissions have larger numbers.
std::uint64_t NumberOf(const std::string& folder) {
  std::uint64_t number = 0;
  const char* const begin = folder.data() + folder.rfind('_') + 1;
  std::from_chars(begin, folder.data() + folder.size(), number);
  return number;
}

Result<Sorted> Sort(const Export& exported) {
  auto records =
      WARPCHECK_TRY(ReadList(*std::ranges::find(exported.files, kGradescopeList, &File::name)));
  Sorted sorted;
  for (Part& part : PartsOf(exported)) {
    if (part.name == kGradescopeList) continue;
    const auto record = records.find(part.name);
    if (record == records.end() || record->second.who.empty()) {
      sorted.refused.push_back(
          {part.name, fmt::format("{} does not name its student", kGradescopeList)});
      if (record != records.end()) records.erase(record);
      continue;
    }
    HandIn& hand_in = sorted.hand_ins.emplace_back();
    hand_in.who = record->second.who;
    hand_in.name = record->second.name;
    hand_in.what = part.name;
    hand_in.submitted = record->second.submitted;
    hand_in.number = NumberOf(part.name);
    hand_in.known_as = record->second.known_as;
    hand_in.files = std::move(part.files);
    records.erase(record);
  }
  for (const auto& [folder, record] : records) {
    sorted.refused.push_back({record.name.empty() ? folder : record.name,
                              fmt::format("the export has no folder {}", folder)});
  }
  return sorted;
}

}  // namespace

const Layout kGradescopeLayout = {.name = "Gradescope",
                                  .expects = "submission_<number>/ and submission_metadata.yml",
                                  .recognises = Recognises,
                                  .sort = Sort};

}  // namespace warpcheck::batch
