#include "batch/course/class_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <chrono>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "batch/course/csv.h"
#include "grading/toml_reader.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMostDays = 365;
constexpr std::int64_t kMostMembers = 20;
constexpr std::size_t kMaxFile = std::size_t{16} << 20;

// Parses "15m", "36h" or "2d" to seconds.
std::optional<std::int64_t> SecondsIn(const std::string& text) {
  static const re2::RE2 kLength(R"(\s*(\d{1,6})\s*(m|min|h|d)\s*)");
  std::int64_t count = 0;
  std::string unit;
  if (!re2::RE2::FullMatch(text, kLength, &count, &unit)) return std::nullopt;
  return count * (unit == "d" ? 86'400 : unit == "h" ? 3'600 : 60);
}

std::int64_t SecondsSince1970(const toml::date_time& when) {
  using namespace std::chrono;
  const sys_seconds at =
      sys_days(year(when.date.year) / month(when.date.month) / day(when.date.day)) +
      hours(when.time.hour) + minutes(when.time.minute - when.offset->minutes) +
      seconds(when.time.second);
  return at.time_since_epoch().count();
}

class RulesReader : private TomlReader {
 public:
  RulesReader(const fs::path& file, const Rubric& rubric)
      : TomlReader(file.string()), folder_(fs::absolute(file).parent_path()), rubric_(rubric) {}

  Result<ClassRules> Read(const toml::table& table) {
    CheckKeys(table,
              {"due", "roster", "counts", "late", "weights", "export", "teams", "show_hidden",
               "leaderboard"},
              "a class");
    if (const toml::node* due = table.get("due")) ReadDue(*due);
    if (const toml::node* counts = table.get("counts")) ReadCounts(table, *counts);
    if (const toml::table* late = Table(table, "late")) ReadLate(*late);
    if (const toml::table* weights = Table(table, "weights")) ReadWeights(*weights);
    if (const toml::table* exported = Table(table, "export")) ReadExport(*exported);
    if (const toml::node* roster = table.get("roster")) {
      const std::string name = Text(table, "roster", R"(roster = "roster.csv")");
      if (!error()) {
        if (auto read = ReadRosterCsv(folder_ / name); !read) {
          if (read.error().where.known()) return Fail(read.error());
          Wrong(*roster, read.error().message, read.error().hint);
        }
      }
    }
    if (const toml::table* teams = error() ? nullptr : Table(table, "teams")) {
      ReadTeams(*teams);
    } else {
      // Without [teams], a column "team" is a note of the course and has no effect.
      for (Listed& listed : rules_.roster) listed.team.clear();
    }
    if (const toml::node* show = table.get("show_hidden")) {
      if (!show->is_boolean()) {
        Wrong(*show, "\"show_hidden\" must be true or false", "write show_hidden = true");
      }
      rules_.show_hidden = show->value_exact<bool>().value_or(false);
    }
    if (const toml::node* names = table.get("leaderboard")) {
      const auto known =
          ValueNamed<LeaderboardNames>(names->value_exact<std::string>().value_or(""));
      if (!known) {
        Wrong(*names, "\"leaderboard\" must be \"pseudonyms\" or \"names\"",
              "with pseudonyms, pseudonyms.csv says to whom each belongs");
      }
      rules_.leaderboard = known.value_or(LeaderboardNames::kPseudonyms);
    }
    if (error()) return Fail(*error());
    return std::move(rules_);
  }

 private:
  void ReadDue(const toml::node& node) {
    const auto when = node.value_exact<toml::date_time>();
    if (!when || !when->offset) {
      Wrong(node, "\"due\" must be a time with its offset from UTC",
            "write for example due = 2026-11-20T23:59:00+01:00, without quotes");
      return;
    }
    rules_.due = SecondsSince1970(*when);
  }

  void ReadCounts(const toml::table& table, const toml::node& node) {
    const std::string name = Text(table, "counts", R"(counts = "newest")");
    const auto counts = ValueNamed<Counts>(name);
    if (!counts) {
      Wrong(node, fmt::format("\"counts\" is \"{}\"", name),
            fmt::format("write one of: {}",
                        fmt::join(NamesOf(std::type_identity<Counts>()).names, ", ")));
    } else if (*counts == Counts::kNewestOnTime && !rules_.due) {
      Wrong(node, "\"newest_on_time\" needs a deadline", "add a line due = ...");
    }
    rules_.counts = counts.value_or(Counts::kNewest);
  }

  double PercentIn(const toml::table& table, std::string_view key, double otherwise) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const auto number = node->is_number() ? node->value<double>() : std::nullopt;
    if (!number || !(*number >= 0 && *number <= 100)) {
      Wrong(*node, fmt::format("\"{}\" must be a number from 0 to 100", key),
            fmt::format("write {} = 10", key));
    }
    return number.value_or(otherwise);
  }

  void ReadLate(const toml::table& table) {
    CheckKeys(table, {"percent", "per", "grace", "most", "days", "most_days", "earlier"}, "[late]");
    if (!rules_.due) {
      Wrong(table, "a late penalty needs a deadline", "add a line due = ... above [late]");
    }
    LateRule& late = rules_.late;
    late.percent = PercentIn(table, "percent", 0);
    late.most = PercentIn(table, "most", 100);
    if (const toml::node* per = table.get("per")) {
      const std::string unit = Text(table, "per", R"(per = "day")");
      if (unit != "day" && unit != "hour") {
        Wrong(*per, fmt::format("\"per\" is \"{}\"", unit), R"(write per = "day" or per = "hour")");
      }
      late.unit = unit == "hour" ? 3'600 : 86'400;
    }
    if (const toml::node* grace = table.get("grace")) {
      const auto seconds = SecondsIn(Text(table, "grace", R"(grace = "15m")"));
      if (!seconds) Wrong(*grace, "\"grace\" is not a length of time", R"(write grace = "15m")");
      late.grace = seconds.value_or(0);
    }
    ReadBudget(table);
  }

  std::int64_t DaysIn(const toml::table& table, std::string_view key, std::int64_t otherwise) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const auto days = node->value_exact<std::int64_t>();
    if (!days || *days < 1 || *days > kMostDays) {
      Wrong(*node, fmt::format("\"{}\" must be a whole number from 1 to {}", key, kMostDays),
            fmt::format("write {} = 3", key));
    }
    return days.value_or(otherwise);
  }

  // Reads the budget of late days, and what earlier assignments used of it.
  void ReadBudget(const toml::table& table) {
    LateRule& late = rules_.late;
    late.days = DaysIn(table, "days", 0);
    late.most_days = DaysIn(table, "most_days", late.days);
    for (const char* const key : {"most_days", "earlier"}) {
      if (const toml::node* node = table.get(key); node != nullptr && late.days == 0) {
        Wrong(*node, fmt::format("\"{}\" needs a budget of late days", key),
              "add a line days = 5 to [late]");
      }
    }
    if (late.days != 0 && late.unit != kDay) {
      Wrong(*table.get("days"), "a budget of days does not go with a penalty per hour",
            R"(write per = "day")");
    }
    const toml::node* earlier = table.get("earlier");
    if (earlier == nullptr) return;
    std::set<std::string> read;
    for (const std::string& name : Texts(*earlier, "earlier")) {
      if (!read.insert(fs::path(name).lexically_normal().string()).second) {
        Wrong(*earlier, fmt::format("\"earlier\" lists {} twice", name),
              "list each assignment once: its days would count twice");
        continue;
      }
      if (auto used = ReadUsedDays(folder_ / name); !used) {
        Wrong(*earlier, used.error().Text(),
              "`warpcheck batch` writes late_days.csv for each assignment with a budget");
      }
    }
  }

  Result<> ReadUsedDays(const fs::path& file) {
    const auto text = WARPCHECK_TRY(ReadFile(file, kMaxFile));
    const auto table = WARPCHECK_TRY(ParseCsv(text, file.string()));
    const int id = table.Column("id"), used = table.Column("used");
    if (id < 0 || used < 0) {
      return Fail("late days need the columns \"id\" and \"used\"",
                  {.file = file.string(), .line = 1});
    }
    static const re2::RE2 kDays(R"(\s*(\d{1,4})\s*)");
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto& row = table.rows[i];
      std::int64_t days = 0;
      if (!re2::RE2::FullMatch(row[static_cast<std::size_t>(used)], kDays, &days)) {
        return Fail(
            fmt::format("\"{}\" is not a number of days", row[static_cast<std::size_t>(used)]),
            {.file = file.string(), .line = static_cast<int>(i) + 2});
      }
      rules_.used_days[std::string(Trimmed(row[static_cast<std::size_t>(id)]))] += days;
    }
    return {};
  }

  // The roster is read before this.
  void ReadTeams(const toml::table& table) {
    CheckKeys(table, {"size"}, "[teams]");
    const toml::node* node = table.get("size");
    const std::int64_t size = node == nullptr ? 2 : node->value_exact<std::int64_t>().value_or(0);
    if (size < 2 || size > kMostMembers) {
      Wrong(*node, fmt::format("\"size\" must be a whole number from 2 to {}", kMostMembers),
            "write size = 2");
    }
    std::map<std::string, std::vector<std::string>> teams;
    for (const Listed& listed : rules_.roster) {
      if (!listed.team.empty()) teams[listed.team].push_back(listed.id);
    }
    if (teams.empty()) {
      Wrong(table, "[teams] needs a roster that says who is in which team",
            "add a column \"team\" to the roster, and write its name: roster = \"roster.csv\"");
    }
    for (const auto& [team, members] : teams) {
      if (std::ssize(members) <= size) continue;
      Wrong(
          table,
          fmt::format("team {} has {} members: {}", team, members.size(), fmt::join(members, ", ")),
          fmt::format("change the roster, or write size = {}", members.size()));
    }
  }

  void ReadWeights(const toml::table& table) {
    std::vector<std::string_view> ids;
    for (const Criterion& criterion : rubric_.criteria) ids.push_back(criterion.id);
    CheckKeys(table, ids, "[weights]");
    for (const auto& [id, node] : table) {
      rules_.weights[std::string(id.str())] = PointsIn(node, id.str()).hundredths();
    }
  }

  void ReadExport(const toml::table& table) {
    CheckKeys(table, {"file", "student", "score", "comment"}, "[export]");
    ExportRule& rule = rules_.exported.emplace();
    rule.file = folder_ / Text(table, "file", R"(file = "gradebook.csv")");
    rule.student = Text(table, "student", R"(student = "ID")");
    rule.score = Text(table, "score", R"r(score = "Transpose (4711)")r");
    if (table.contains("comment")) rule.comment = Text(table, "comment", R"(comment = "Feedback")");
  }

  Result<> ReadRosterCsv(const fs::path& file) {
    const auto text = WARPCHECK_TRY(ReadFile(file, kMaxFile));
    const auto table = WARPCHECK_TRY(ParseCsv(text, file.string()));
    const int id = table.Column("id");
    if (id < 0) {
      return Fail("a roster needs a column called \"id\"", {.file = file.string(), .line = 1},
                  fmt::format("it has: {}", fmt::join(table.header, ", ")));
    }
    const auto cell = [&](const std::vector<std::string>& row, int column) {
      return column < 0 ? std::string()
                        : std::string(Trimmed(row[static_cast<std::size_t>(column)]));
    };
    std::set<std::string> ids;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto& row = table.rows[i];
      const SourceLocation where = {.file = file.string(), .line = static_cast<int>(i) + 2};
      Listed listed = {.id = cell(row, id),
                       .name = cell(row, table.Column("name")),
                       .section = cell(row, table.Column("section")),
                       .extension = 0,
                       .team = cell(row, table.Column("team"))};
      const std::string extension = cell(row, table.Column("extension"));
      const auto seconds = extension.empty() ? 0 : SecondsIn(extension);
      if (!seconds) {
        return Fail(fmt::format("\"{}\" is not a length of time", extension), where,
                    "write 2d, 36h or 30m");
      }
      listed.extension = *seconds;
      if (listed.id.empty()) return Fail("a student without an id", where);
      if (!ids.insert(listed.id).second) {
        return Fail(fmt::format("{} is listed a second time", listed.id), where);
      }
      rules_.roster.push_back(std::move(listed));
    }
    return {};
  }

  const fs::path folder_;
  const Rubric& rubric_;
  ClassRules rules_;
};

}  // namespace

Result<ClassRules> ReadClassRules(const fs::path& toml, const Rubric& rubric) {
  const auto text = WARPCHECK_TRY(ReadFile(toml, kMaxFile));
  return ParseToml(text, toml.string()).and_then([&](const toml::table& table) {
    return RulesReader(toml, rubric).Read(table);
  });
}

Rubric Weighted(Rubric rubric, const ClassRules& rules) {
  for (Criterion& criterion : rubric.criteria) {
    const auto weight = rules.weights.find(criterion.id);
    if (weight != rules.weights.end()) criterion.points = Points::FromHundredths(weight->second);
  }
  return rubric;
}

RowFinder FinderOf(const std::vector<Listed>& roster) {
  RowFinder finder;
  for (std::size_t i = 0; i < roster.size(); ++i) finder.Add(roster[i].id, i);
  return finder;
}

}  // namespace warpcheck::batch
