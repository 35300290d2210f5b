#include "proof/mutation/mutant.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "proof/mutation/mutators.h"

namespace warpcheck::mutation {
namespace {

// Replaces white space by one blank, so that names stay on one line.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

}  // namespace

std::string Mutant::Name() const { return fmt::format("{}:{} {}", line, column, change); }

std::string Mutant::Apply(std::string_view text) const {
  std::string changed;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    changed += text.substr(at, edit.offset - at);
    changed += edit.replacement;
    at = edit.offset + edit.length;
  }
  changed += text.substr(at);
  return changed;
}

Edit Mutants::EditOf(Range range, std::string_view replacement) const {
  const std::size_t length = range.empty() ? 0 : Text(range).size();
  return {source_.tokens()[range.begin].offset, length, std::string(replacement)};
}

void Mutants::Add(Range at, std::string change, std::vector<Edit> edits) {
  const Token& token = source_.tokens()[at.begin];
  mutants_.push_back({token.line, token.column, std::move(change), std::move(edits), kind_});
}

void Mutants::Replace(Range range, const std::string& with) {
  Add(range, fmt::format("{} to {}", OneLine(Text(range)), OneLine(with)), {EditOf(range, with)});
}

void Mutants::Remove(Range range, const std::string& with) {
  Add(range, fmt::format("without {}", OneLine(Text(range))), {EditOf(range, with)});
}

void Mutants::Exchange(Range first, Range second) {
  if (Text(first) == Text(second)) return;
  Add(first, fmt::format("exchange {} with {}", OneLine(Text(first)), OneLine(Text(second))),
      {EditOf(first, Text(second)), EditOf(second, Text(first))});
}

void Mutants::Together(const std::string& change,
                       const std::vector<std::pair<Range, std::string>>& parts) {
  if (parts.empty()) return;
  std::vector<Edit> edits;
  for (const auto& [range, with] : parts) edits.push_back(EditOf(range, with));
  const auto place = [](const Edit& edit) { return std::pair(edit.offset, edit.length); };
  std::ranges::stable_sort(edits, {}, place);
  Add(parts.front().first, change, std::move(edits));
}

std::vector<Mutant> Mutants::Take() {
  const auto order = [](const Mutant& a, const Mutant& b) {
    return std::tie(a.line, a.column, a.change) < std::tie(b.line, b.column, b.change);
  };
  std::sort(mutants_.begin(), mutants_.end(), order);
  std::set<std::string> seen = {source_.text()};
  std::vector<Mutant> taken;
  for (Mutant& mutant : mutants_) {
    if (seen.insert(mutant.Apply(source_.text())).second) taken.push_back(std::move(mutant));
  }
  mutants_.clear();
  return taken;
}

std::vector<Mutant> MutantsOf(const Source& source) {
  Mutants mutants(source);
  for (const KindOfChange& kind : kMutators) {
    mutants.SetKind(kind.name);
    kind.mutate(source, mutants);
  }
  return mutants.Take();
}

}  // namespace warpcheck::mutation
