#include "grading/rubric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpcheck {

namespace {

constexpr double kMaxPoints = 1e6;

}  // namespace

std::optional<Points> Points::FromNumber(double number) {
  if (!(number >= 0 && number <= kMaxPoints)) return std::nullopt;
  const double hundredths = std::round(number * 100);
  if (std::abs(number * 100 - hundredths) > 1e-6) return std::nullopt;
  return Points(static_cast<std::int64_t>(hundredths));
}

std::string Points::Text() const {
  std::string text = fmt::format("{}.{:02}", hundredths_ / 100, hundredths_ % 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

namespace {

bool AnyGlobMatches(std::string_view globs, std::string_view name) {
  for (;;) {
    const std::size_t end = globs.find(':');
    if (GlobMatches(globs.substr(0, end), name)) return true;
    if (end == std::string_view::npos) return false;
    globs.remove_prefix(end + 1);
  }
}

}  // namespace

bool GlobMatches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last '*' seen
  std::size_t resume = 0;                     // where the text after it was tried last
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool FilterMatches(std::string_view filter, std::string_view name) {
  const std::size_t dash = filter.find('-');
  if (dash == std::string_view::npos) return AnyGlobMatches(filter, name);
  const std::string_view wanted = filter.substr(0, dash);
  return (wanted.empty() || AnyGlobMatches(wanted, name)) &&
         !AnyGlobMatches(filter.substr(dash + 1), name);
}

namespace {

constexpr std::array<std::string_view, 3> kRubricKeys = {"title", "compile", "criterion"};
constexpr std::array<std::string_view, 2> kCompileKeys = {"standard", "flags"};
constexpr std::array<std::string_view, 6> kCriterionKeys = {"id",    "name",     "points",
                                                            "tests", "requires", "partial"};

// "Right for every shape!" to "right-for-every-shape".
std::string IdFrom(std::string_view name) {
  std::string id;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      id += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

// Reads a parsed file and keeps the first error; what comes after one is not looked at.
class RubricReader {
 public:
  explicit RubricReader(std::string file) : file_(std::move(file)) {}

  Result<Rubric> Read(const toml::table& table) {
    CheckKeys(table, kRubricKeys, "a rubric");
    rubric_.title = Text(table, "title", R"(title = "Matrix transpose")");
    if (const toml::node* node = table.get("compile")) ReadLanguage(*node);
    if (const toml::node* node = table.get("criterion")) {
      ReadCriteria(*node);
    } else {
      Wrong(table, "no criteria", "add at least one [[criterion]] with name, points and tests");
    }
    ResolveRequirements();
    FindCycles();
    if (error_) return Fail(*std::move(error_));
    return std::move(rubric_);
  }

 private:
  void Wrong(const toml::node& node, std::string message, std::string hint) {
    if (error_) return;
    const toml::source_position begin = node.source().begin;
    error_.emplace();
    error_->message = std::move(message);
    error_->where.file = file_;
    error_->where.line = static_cast<int>(begin.line);
    error_->where.column = static_cast<int>(begin.column);
    error_->hint = std::move(hint);
  }

  template <std::size_t N>
  void CheckKeys(const toml::table& table, const std::array<std::string_view, N>& known,
                 std::string_view what) {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      Wrong(value, fmt::format("unknown key \"{}\"", key.str()),
            fmt::format("{} may have: {}", what, fmt::join(known, ", ")));
    }
  }

  std::string Text(const toml::table& table, std::string_view key, std::string_view example) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      Wrong(table, fmt::format("missing key \"{}\"", key), fmt::format("write {}", example));
      return {};
    }
    const auto text = node->value_exact<std::string>();
    if (!text || text->empty()) {
      Wrong(*node, fmt::format("\"{}\" has to be a text that is not empty", key),
            fmt::format("write {}", example));
      return {};
    }
    return *text;
  }

  // A text, or a list of texts.
  std::vector<std::string> Texts(const toml::node& node, std::string_view key) {
    std::vector<std::string> texts;
    const auto add = [&](const toml::node& item) {
      const auto text = item.value_exact<std::string>();
      if (text && !text->empty()) {
        texts.push_back(*text);
      } else {
        Wrong(item, fmt::format("\"{}\" has to be a text or a list of texts", key),
              fmt::format(R"(write {0} = "..." or {0} = ["...", "..."])", key));
      }
    };
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) add(item);
    } else {
      add(node);
    }
    return texts;
  }

  Points PointsOf(const toml::table& table) {
    const toml::node* node = table.get("points");
    if (node == nullptr) {
      Wrong(table, "missing key \"points\"", "write points = 40");
      return {};
    }
    const auto number = node->is_number() ? node->value<double>() : std::nullopt;
    const auto points = number ? Points::FromNumber(*number) : std::nullopt;
    if (!points) {
      Wrong(*node, "\"points\" has to be a number from 0 to 1000000 with at most two decimals",
            "write points = 40 or points = 12.5");
      return {};
    }
    return *points;
  }

  void ReadLanguage(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      Wrong(node, "\"compile\" has to be a table", "write [compile], and its keys below it");
      return;
    }
    CheckKeys(*table, kCompileKeys, "[compile]");
    build::Language& language = rubric_.language;
    if (const toml::node* standard = table->get("standard")) {
      language.standard = static_cast<int>(standard->value_exact<std::int64_t>().value_or(0));
      Check(*standard, standard->is_integer()
                           ? build::CheckStandard(language.standard)
                           : Fail("\"standard\" has to be a number", {}, "write standard = 20"));
    }
    if (const toml::node* flags = table->get("flags")) {
      language.flags = Texts(*flags, "flags");
      for (const std::string& flag : language.flags) Check(*flags, build::CheckFlag(flag));
    }
  }

  void Check(const toml::node& node, const Result<>& checked) {
    if (!checked) Wrong(node, checked.error().message, checked.error().hint);
  }

  void ReadCriteria(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table)) {
      Wrong(node, "\"criterion\" has to be a list of tables",
            "write [[criterion]], in double brackets, before the keys of each criterion");
      return;
    }
    for (const toml::node& item : *list) ReadCriterion(*item.as_table());
  }

  void ReadCriterion(const toml::table& table) {
    CheckKeys(table, kCriterionKeys, "a criterion");
    Criterion criterion;
    criterion.name = Text(table, "name", R"(name = "Right for every shape")");
    criterion.id =
        table.contains("id") ? Text(table, "id", R"(id = "right")") : IdFrom(criterion.name);
    criterion.points = PointsOf(table);
    if (const toml::node* tests = table.get("tests")) {
      criterion.tests = Texts(*tests, "tests");
      if (criterion.tests.empty()) {
        Wrong(*tests, "\"tests\" is empty", R"(name at least one test: tests = "*.Matches*")");
      }
    } else {
      Wrong(table, "missing key \"tests\"", R"(write tests = "*.MatchesReference/*")");
    }
    if (const toml::node* partial = table.get("partial")) {
      criterion.partial = partial->value_exact<bool>().value_or(false);
      if (!partial->is_boolean()) {
        Wrong(*partial, "\"partial\" has to be true or false", "write partial = true");
      }
    }
    AddCriterion(std::move(criterion), table);
  }

  void AddCriterion(Criterion criterion, const toml::table& table) {
    if (criterion.id.empty()) {
      Wrong(table, fmt::format("no id can be made from the name \"{}\"", criterion.name),
            R"(write id = "...")");
    } else if (Find(criterion.id)) {
      Wrong(table, fmt::format("a second criterion with the id \"{}\"", criterion.id),
            "give each criterion another name, or an id of its own");
    }
    rubric_.criteria.push_back(std::move(criterion));
    tables_.push_back(&table);
  }

  std::optional<std::size_t> Find(std::string_view id) const {
    const auto found = std::ranges::find(rubric_.criteria, id, &Criterion::id);
    if (found == rubric_.criteria.end()) return std::nullopt;
    return static_cast<std::size_t>(found - rubric_.criteria.begin());
  }

  void ResolveRequirements() {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const toml::node* node = tables_[i]->get("requires");
      if (node == nullptr) continue;
      for (const std::string& id : Texts(*node, "requires")) {
        if (const auto found = Find(id)) {
          rubric_.criteria[i].required.push_back(*found);
          continue;
        }
        std::vector<std::string_view> ids;
        for (const Criterion& criterion : rubric_.criteria) ids.push_back(criterion.id);
        Wrong(*node, fmt::format("requires \"{}\", which is no criterion's id", id),
              fmt::format("the ids are: {}", fmt::join(ids, ", ")));
      }
    }
  }

  void FindCycles() {
    enum class Mark { kNew, kOpen, kDone };
    std::vector<Mark> marks(rubric_.criteria.size(), Mark::kNew);
    const auto visit = [&](const auto& self, std::size_t i) -> void {
      marks[i] = Mark::kOpen;
      for (const std::size_t next : rubric_.criteria[i].required) {
        if (marks[next] == Mark::kOpen) {
          Wrong(*tables_[i]->get("requires"),
                fmt::format("\"{}\" requires itself in the end", rubric_.criteria[next].id),
                "remove one of the \"requires\" that lead in a circle");
        } else if (marks[next] == Mark::kNew) {
          self(self, next);
        }
      }
      marks[i] = Mark::kDone;
    };
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] == Mark::kNew) visit(visit, i);
    }
  }

  std::string file_;
  Rubric rubric_;
  std::vector<const toml::table*> tables_;  // of each criterion
  std::optional<Error> error_;
};

}  // namespace

bool Criterion::Matches(std::string_view case_name) const {
  return std::ranges::any_of(
      tests, [&](const std::string& filter) { return FilterMatches(filter, case_name); });
}

Points Rubric::Total() const {
  Points total;
  for (const Criterion& criterion : criteria) total += criterion.points;
  return total;
}

Result<Rubric> ParseRubric(std::string_view toml, const std::string& file) {
  try {
    const toml::table table = toml::parse(toml);
    return RubricReader(file).Read(table);
  } catch (const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    SourceLocation where;
    where.file = file;
    where.line = static_cast<int>(begin.line);
    where.column = static_cast<int>(begin.column);
    return Fail(std::string(error.description()), where);
  }
}

}  // namespace warpcheck
