#include "grading/rubric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/text/glob.h"
#include "grading/toml_reader.h"

namespace warpcheck {
namespace {

// Makes an id from a name: "right-for-every-shape" from "Right for every shape!".
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

class RubricReader : private TomlReader {
 public:
  using TomlReader::TomlReader;

  Result<Rubric> Read(const toml::table& table) {
    CheckKeys(table, {"title", "device", "compile", "hints", "criterion", "hidden_points"},
              "a rubric");
    rubric_.title = Text(table, "title", R"(title = "Matrix transpose")");
    ReadDevice(table.get("device"));
    ReadLanguage(Table(table, "compile"));
    ReadHints(Table(table, "hints"));
    if (const toml::node* node = table.get("criterion")) {
      ReadCriteria(*node);
    } else {
      Wrong(table, "no criteria", "add at least one [[criterion]] with name, points and tests");
    }
    if (const toml::node* points = table.get("hidden_points")) {
      rubric_.hidden_points = PointsIn(*points, "hidden_points");
    }
    ResolveRequirements();
    FindCycles();
    if (error()) return Fail(*error());
    return std::move(rubric_);
  }

 private:
  void ReadDevice(const toml::node* node) {
    if (node == nullptr) return;
    const std::string device = node->value_exact<std::string>().value_or("");
    if (device != "gpu" && device != "emulator") {
      Wrong(*node, "\"device\" must be \"gpu\" or \"emulator\"",
            "leave it out: the emulator judges, and a GPU is its witness");
    }
    rubric_.gpu_judges = device == "gpu";
  }

  void ReadHints(const toml::table* table) {
    if (table == nullptr) return;
    CheckKeys(*table, {"give"}, "[hints]");
    const auto given = ValueNamed<Given>(Text(*table, "give", R"(give = "kind")"));
    if (given) {
      rubric_.given = *given;
    } else if (const toml::node* give = table->get("give")) {
      Wrong(*give, "\"give\" has a value that is not known",
            R"(write give = "line", "kind" or "change")");
    }
  }

  void ReadLanguage(const toml::table* table) {
    if (table == nullptr) return;
    CheckKeys(*table, {"standard", "flags", "allow", "forbid"}, "[compile]");
    compile::Language& language = rubric_.language;
    if (const toml::node* standard = table->get("standard")) {
      language.standard = static_cast<int>(standard->value_exact<std::int64_t>().value_or(0));
      Check(*standard, standard->is_integer()
                           ? compile::CheckStandard(language.standard)
                           : Fail("\"standard\" must be a number", {}, "write standard = 20"));
    }
    if (const toml::node* flags = table->get("flags")) {
      language.flags = Texts(*flags, "flags");
      for (const std::string& flag : language.flags) Check(*flags, compile::CheckFlag(flag));
    }
    if (const toml::node* allow = table->get("allow")) {
      language.allow = Texts(*allow, "allow");
      if (language.allow.empty()) {
        Wrong(*allow, "\"allow\" is empty", R"(write allow = ["standard", "cuda_runtime.h"])");
      }
    }
    if (const toml::node* forbid = table->get("forbid")) {
      language.forbid = Texts(*forbid, "forbid");
      if (language.forbid.empty() || !language.allow.empty()) {
        Wrong(*forbid, "\"forbid\" must name headers, and there is no \"allow\" beside it",
              R"(write forbid = ["libraries"], which are Thrust, CUB, cuBLAS and the like)");
      }
    }
  }

  void ReadCriteria(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table)) {
      Wrong(node, "\"criterion\" must be a list of tables",
            "write [[criterion]], in double brackets, before the keys of each criterion");
      return;
    }
    for (const toml::node& item : *list) ReadCriterion(*item.as_table());
  }

  void ReadCriterion(const toml::table& table) {
    CheckKeys(table, {"id", "name", "points", "tests", "requires", "partial", "hidden"},
              "a criterion");
    Criterion criterion;
    criterion.name = Text(table, "name", R"(name = "Right for every shape")");
    criterion.id =
        table.contains("id") ? Text(table, "id", R"(id = "right")") : IdFrom(criterion.name);
    if (const toml::node* points = table.get("points")) {
      criterion.points = PointsIn(*points, "points");
    } else {
      Wrong(table, "missing key \"points\"", "write points = 40");
    }
    if (const toml::node* tests = table.get("tests")) {
      criterion.tests = Texts(*tests, "tests");
      if (criterion.tests.empty()) {
        Wrong(*tests, "\"tests\" is empty", R"(name at least one test: tests = "*.Matches*")");
      }
    } else {
      Wrong(table, "missing key \"tests\"", R"(write tests = "*.MatchesReference/*")");
    }
    criterion.partial = Flag(table, "partial");
    criterion.hidden = Flag(table, "hidden");
    // The points that are hidden tell a student's rubric that its checks have hidden tests.
    if (criterion.hidden && table.contains("points") && criterion.points == Points()) {
      Wrong(*table.get("points"), "a hidden criterion cannot have 0 points",
            "give it points, or leave out \"hidden\"");
    }
    AddCriterion(std::move(criterion), table);
  }

  bool Flag(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node != nullptr && !node->is_boolean()) {
      Wrong(*node, fmt::format("\"{}\" must be true or false", key),
            fmt::format("write {} = true", key));
    }
    return node != nullptr && node->value_exact<bool>().value_or(false);
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
          CheckHidden(*node, rubric_.criteria[i], rubric_.criteria[*found]);
          continue;
        }
        std::vector<std::string_view> ids;
        for (const Criterion& criterion : rubric_.criteria) ids.push_back(criterion.id);
        Wrong(*node, fmt::format("requires \"{}\", which is not the id of a criterion", id),
              fmt::format("the ids are: {}", fmt::join(ids, ", ")));
      }
    }
  }

  // A criterion that is skipped names the one that it requires.
  void CheckHidden(const toml::node& node, const Criterion& criterion, const Criterion& required) {
    if (criterion.hidden || !required.hidden) return;
    Wrong(node, fmt::format("requires \"{}\", which is hidden", required.id),
          "a criterion that students see may only require others that they see: hide both, or "
          "neither");
  }

  void FindCycles() {
    enum class Mark { kNew, kOpen, kDone };
    std::vector<Mark> marks(rubric_.criteria.size(), Mark::kNew);
    const auto visit = [&](const auto& self, std::size_t i) -> void {
      marks[i] = Mark::kOpen;
      for (const std::size_t next : rubric_.criteria[i].required) {
        if (marks[next] == Mark::kOpen) {
          Wrong(*tables_[i]->get("requires"),
                fmt::format("\"{}\" requires itself, directly or through others",
                            rubric_.criteria[next].id),
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

  Rubric rubric_;
  std::vector<const toml::table*> tables_;  // the tables of the criteria
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
  return ParseToml(toml, file).and_then([&](const toml::table& table) {
    return RubricReader(file).Read(table);
  });
}

std::string RubricForStudents(std::string_view toml) {
  const auto rubric = ParseRubric(toml, "");
  if (!rubric) return std::string(toml);  // it grades nothing
  Points hidden = rubric->hidden_points;
  for (const Criterion& criterion : rubric->criteria) {
    if (criterion.hidden) hidden += criterion.points;
  }
  if (hidden == rubric->hidden_points &&
      std::ranges::none_of(rubric->criteria, &Criterion::hidden)) {
    return std::string(toml);
  }
  toml::table table = *ParseToml(toml, "");
  toml::array& list = *table["criterion"].as_array();
  for (std::size_t i = rubric->criteria.size(); i-- > 0;) {
    if (rubric->criteria[i].hidden) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }
  table.insert_or_assign("hidden_points", static_cast<double>(hidden.hundredths()) / 100);
  std::ostringstream text;
  text << table << '\n';
  return text.str();
}

}  // namespace warpcheck
