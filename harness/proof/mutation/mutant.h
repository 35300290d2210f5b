// A Mutant is a small change of a program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proof/mutation/source.h"

namespace warpcheck::mutation {

struct Edit {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string replacement;
};

struct Mutant {
  int line = 0;
  int column = 0;
  // Such as "< to <=", "without __syncthreads();" or "exchange rows with cols".
  std::string change;
  std::vector<Edit> edits;  // edits in the order of the text, without overlap
  std::string_view kind{};  // as KindOfChange::name; empty if no mutator of the table made it

  // Returns a name that no other mutant of the file has, such as "18:14 < to <=".
  std::string Name() const;
  std::string Apply(std::string_view text) const;
};

// Collects the changes that mutators make.
class Mutants {
 public:
  explicit Mutants(const Source& source) : source_(source) {}

  void SetKind(std::string_view kind) { kind_ = kind; }  // of the mutants that are made next
  void Replace(Range range, const std::string& with);
  void Replace(std::size_t token, const std::string& with) {
    Replace(Range{token, token + 1}, with);
  }
  void Remove(Range range, const std::string& with = "");  // puts `with` in its place
  void Exchange(Range first, Range second);                // makes no change if the texts are equal
  // Adds all of these edits as one change with the name `change` and the place of the first edit.
  void Together(const std::string& change, const std::vector<std::pair<Range, std::string>>& parts);
  // Inserts text before a token.
  static Range Before(std::size_t token) { return {token, token}; }

  // Returns the mutants sorted by place and then by name, without those that give the same text as
  // an earlier one or change nothing.
  std::vector<Mutant> Take();

 private:
  void Add(Range at, std::string change, std::vector<Edit> edits);
  std::string_view Text(Range range) const { return source_.Text(range.begin, range.end); }
  Edit EditOf(Range range, std::string_view replacement) const;

  const Source& source_;
  std::vector<Mutant> mutants_;
  std::string_view kind_;
};

// Returns every mutant of the file, always in the same order.
std::vector<Mutant> MutantsOf(const Source& source);

}  // namespace warpcheck::mutation
