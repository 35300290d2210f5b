#include "batch/roster_json.h"

#include "base/json_fields.h"

namespace warpcheck::batch {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json ToJson(const std::vector<Excluded>& excluded) {
  ordered_json list = ordered_json::array();
  for (const Excluded& one : excluded) list.push_back({{"what", one.what}, {"reason", one.reason}});
  return list;
}

std::vector<Excluded> ExcludedFrom(const json& list) {
  std::vector<Excluded> excluded;
  for (const json& one : list) {
    excluded.push_back({.what = StringField(one, "what"), .reason = StringField(one, "reason")});
  }
  return excluded;
}

ordered_json ToJson(const Roster& roster) {
  ordered_json entries = ordered_json::array();
  for (const Entry& entry : roster.entries) {
    entries.push_back({{"id", entry.id},
                       {"name", entry.name},
                       {"submission", entry.submission.string()},
                       {"submitted", entry.submitted},
                       {"late", entry.late}});
  }
  return {{"entries", std::move(entries)},
          {"superseded", ToJson(roster.superseded)},
          {"refused", ToJson(roster.refused)}};
}

Roster RosterFrom(const json& object) {
  Roster roster;
  for (const json& one : ArrayField(object, "entries")) {
    Entry& entry = roster.entries.emplace_back();
    entry.id = StringField(one, "id");
    entry.name = StringField(one, "name");
    entry.submission = StringField(one, "submission");
    entry.submitted = StringField(one, "submitted");
    entry.late = Field(one, "late").get<bool>();
  }
  roster.superseded = ExcludedFrom(ArrayField(object, "superseded"));
  roster.refused = ExcludedFrom(ArrayField(object, "refused"));
  return roster;
}

}  // namespace warpcheck::batch
