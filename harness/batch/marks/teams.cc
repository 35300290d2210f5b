#include "batch/marks/teams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "batch/course/student_names.h"

namespace warpcheck::batch {

Teams::Teams(const ClassRules& rules, const std::vector<Entry>& entries)
    : roster_(rules.roster), finder_(FinderOf(roster_)) {
  // A member who handed in has the id and the names of the export. Any other member has the id and
  // the names of the roster.
  std::map<std::string, const Entry*> own;
  for (const Entry& entry : entries) {
    if (const Listed* const listed = ListedAs(entry)) own.try_emplace(listed->id, &entry);
  }
  for (const Listed& listed : roster_) {
    if (listed.team.empty()) continue;
    Entry& member = members_[listed.team].emplace_back();
    const auto found = own.find(listed.id);
    if (found != own.end()) {
      member.id = StudentOf(found->second->id);
      member.name = found->second->name;
      member.known_as = found->second->known_as;
    } else {
      member.id = SafeId(listed.id);
      member.name = listed.name.empty() ? listed.id : listed.name;
      member.known_as = {listed.id};
    }
  }
}

const Listed* Teams::ListedAs(const Entry& entry) const {
  const auto row = finder_.RowOf(StudentOf(entry.id), entry.known_as);
  return row ? &roster_[*row] : nullptr;
}

std::string Teams::TeamOf(const Entry& entry) const {
  const Listed* const listed = ListedAs(entry);
  return listed != nullptr ? listed->team : "";
}

std::vector<Entry> Teams::SharesOf(const Entry& entry) const {
  std::vector<Entry> shares = {entry};
  const std::string team = TeamOf(entry);
  if (team.empty()) return shares;
  for (const Entry& member : members_.at(team)) {
    if (member.id == StudentOf(entry.id)) continue;
    Entry& share = shares.emplace_back(entry);
    share.id = member.id;
    share.name = member.name;
    share.known_as = member.known_as;
  }
  return shares;
}

std::string Teams::Remark(const Entry& entry) const {
  const std::string team = TeamOf(entry);
  if (team.empty()) return "";
  std::vector<std::string> names;
  for (const Entry& member : members_.at(team)) {
    names.push_back(member.name.empty() ? member.id : member.name);
  }
  return fmt::format("team {}: {}; {} handed in", team, fmt::join(names, ", "),
                     entry.name.empty() ? StudentOf(entry.id) : entry.name);
}

}  // namespace warpcheck::batch
