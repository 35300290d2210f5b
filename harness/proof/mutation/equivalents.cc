#include "proof/mutation/equivalents.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <set>

namespace warpcheck::mutation {
namespace {

SourceLocation Place(const toml::node& node, const std::string& file) {
  const toml::source_position begin = node.source().begin;
  return {file, static_cast<int>(begin.line), static_cast<int>(begin.column)};
}

Result<> AddEntry(const toml::table& entry, const std::string& file,
                  std::vector<Equivalent>& equivalents) {
  for (const auto& [key, value] : entry) {
    if (key.str() == "mutants" || key.str() == "reason") continue;
    return Fail(fmt::format("unknown key \"{}\"", key.str()), Place(value, file),
                "an equivalent has mutants and a reason");
  }
  const auto reason = entry["reason"].value<std::string>();
  if (!reason || reason->empty()) {
    return Fail("an entry has no reason", Place(entry, file),
                "write reason = \"why no check can detect it\"");
  }
  const toml::array* const mutants = entry["mutants"].as_array();
  if (mutants == nullptr || mutants->empty()) {
    return Fail("an entry has no mutants", Place(entry, file),
                "write mutants = [\"18:14 < to <=\"]");
  }
  for (const toml::node& mutant : *mutants) {
    const auto name = mutant.value_exact<std::string>();
    if (!name) return Fail("a mutant's name is a text", Place(mutant, file));
    equivalents.push_back({*name, *reason, Place(mutant, file)});
  }
  return {};
}

}  // namespace

Result<std::vector<Equivalent>> ParseEquivalents(const std::string& text, const std::string& file) {
  toml::table table;
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    return Fail(std::string(error.description()),
                {file, static_cast<int>(begin.line), static_cast<int>(begin.column)});
  }
  std::vector<Equivalent> equivalents;
  for (const auto& [key, value] : table) {
    const toml::array* const entries = key.str() == "equivalent" ? value.as_array() : nullptr;
    if (entries == nullptr) {
      return Fail(fmt::format("unknown key \"{}\"", key.str()), Place(value, file),
                  "the file holds [[equivalent]] entries");
    }
    for (const toml::node& entry : *entries) {
      const toml::table* const fields = entry.as_table();
      if (fields == nullptr) return Fail("an equivalent is a table", Place(entry, file));
      WARPCHECK_TRY(AddEntry(*fields, file, equivalents));
    }
  }
  std::set<std::string_view> names;
  for (const Equivalent& equivalent : equivalents) {
    if (!names.insert(equivalent.mutant).second) {
      return Fail(fmt::format("\"{}\" is listed twice", equivalent.mutant), equivalent.where);
    }
  }
  return equivalents;
}

}  // namespace warpcheck::mutation
