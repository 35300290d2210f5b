#include "batch/journal/journal.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/json/record.h"
#include "batch/intake/roster.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;

// Parses a record without its grade, which may be large.
json HeadOf(std::string_view text) {
  return json::parse(text, [](int depth, json::parse_event_t event, json& parsed) {
    return depth != 1 || event != json::parse_event_t::key || parsed != "grade";
  });
}

void ApplyGraded(JournalState& state, const json& record, Extent extent) {
  const std::string id = StringField(record, "id");
  std::string digest = StringField(record, "digest");
  state.unfinished.erase(id);
  state.deaths.erase(digest);
  state.anew.erase(digest);
  if (!digest.empty()) state.by_digest.try_emplace(digest, extent);
  state.graded[id] = {.digest = std::move(digest), .grade = extent};
}

void ApplyReopened(JournalState& state, const std::string& id) {
  const auto known = state.graded.find(id);
  if (known == state.graded.end()) return;
  const std::string digest = known->second.digest;
  state.graded.erase(known);
  if (digest.empty()) return;
  std::erase_if(state.graded, [&](const auto& other) { return other.second.digest == digest; });
  state.by_digest.erase(digest);
  state.deaths.erase(digest);
  state.anew.insert(digest);
}

// Applies a record to the state; throws std::exception if the record is malformed.
void Apply(JournalState& state, const json& record, Extent extent) {
  const std::string event = StringField(record, "event");
  if (!state.identity && event != "batch") throw std::runtime_error("records before \"batch\"");
  if (event == "batch") {
    const int format = IntegerField<int>(record, "format");
    if (format != kFormat) throw std::runtime_error(fmt::format("unknown format {}", format));
    state.identity = FromJson<BatchIdentity>(Field(record, "identity"));
  } else if (event == "roster") {
    state.roster = FromJson<Roster>(Field(record, "roster"));
  } else if (event == "class") {
    state.rules = FromJson<ClassRules>(Field(record, "rules"));
  } else if (event == "note") {
    Note note = FromJson<Note>(Field(record, "note"));
    state.notes[note.id].push_back(std::move(note));
  } else if (event == "started") {
    state.unfinished.insert(StringField(record, "id"));
  } else if (event == "died") {
    state.unfinished.erase(StringField(record, "id"));
    JournalState::Deaths& deaths = state.deaths[StringField(record, "digest")];
    ++deaths.count;
    deaths.last = StringField(record, "how");
  } else if (event == "graded") {
    ApplyGraded(state, record, extent);
  } else if (event == "reopened") {
    ApplyReopened(state, StringField(record, "id"));
  } else {
    throw std::runtime_error(fmt::format("unknown event \"{}\"", event));
  }
}

CheckedFile::Visit ApplyTo(JournalState& state) {
  return [&state](std::string_view text, Extent extent) -> Result<> {
    try {
      Apply(state, HeadOf(text), extent);
      return {};
    } catch (const std::exception& exception) {
      return Fail(fmt::format("this is not a line of a batch's journal: {}", exception.what()));
    }
  };
}

Result<Grade> ReadGrade(const CheckedFile& file, Extent extent) {
  const auto text = WARPCHECK_TRY(file.TextAt(extent));
  try {
    return GradeFrom(Field(ParseJson(text), "grade"));
  } catch (const std::exception& exception) {
    return Fail(fmt::format("cannot read a grade in the journal: {}", exception.what()));
  }
}

}  // namespace

std::filesystem::path Journal::PathIn(const std::filesystem::path& folder) {
  return folder / "journal";
}

Result<Journal> Journal::Open(const std::filesystem::path& folder) {
  JournalState state;
  auto file = WARPCHECK_TRY(CheckedFile::Open(PathIn(folder), ApplyTo(state)));
  return Journal(std::move(file), std::move(state));
}

Result<Journal> Journal::OpenToRead(const std::filesystem::path& folder) {
  JournalState state;
  auto file = WARPCHECK_TRY(CheckedFile::OpenToRead(PathIn(folder), ApplyTo(state)));
  return Journal(std::move(file), std::move(state));
}

Result<> Journal::Append(const ordered_json& record, bool durable, const std::string& grade) {
  const std::string head = JsonText(record);
  const auto extent = file_.Append(
      grade.empty() ? head
                    : fmt::format("{},\"grade\":{}}}", head.substr(0, head.size() - 1), grade),
      durable);
  if (!extent) return Fail(extent.error());
  Apply(state_, ParseJson(head), *extent);
  return {};
}

Result<> Journal::Begin(const BatchIdentity& identity) {
  return Append({{"event", "batch"}, {"format", kFormat}, {"identity", ToJson(identity)}}, true);
}

Result<> Journal::SetRoster(const Roster& roster) {
  return Append({{"event", "roster"}, {"roster", ToJson(roster)}}, true);
}

Result<> Journal::SetRules(const ClassRules& rules) {
  return Append({{"event", "class"}, {"rules", ToJson(rules)}}, true);
}

Result<> Journal::Add(const Note& note) {
  return Append({{"event", "note"}, {"note", ToJson(note)}}, true);
}

Result<> Journal::Started(const std::string& id) {
  return Append({{"event", "started"}, {"id", id}}, false);
}

Result<> Journal::Died(const std::string& id, const std::string& digest, const std::string& how) {
  return Append({{"event", "died"}, {"id", id}, {"digest", digest}, {"how", how}}, true);
}

Result<> Journal::Graded(const std::string& id, const std::string& digest, const Grade& grade) {
  return Append({{"event", "graded"}, {"id", id}, {"digest", digest}}, true,
                JsonText(ToJson(grade)));
}

Result<> Journal::Reopened(const std::string& id) {
  return Append({{"event", "reopened"}, {"id", id}}, true);
}

Result<Grade> Journal::GradeOf(const std::string& id) const {
  return ReadGrade(file_, state_.graded.at(id).grade);
}

Result<Grade> Journal::GradeOfFiles(const std::string& digest) const {
  return ReadGrade(file_, state_.by_digest.at(digest));
}

}  // namespace warpcheck::batch
