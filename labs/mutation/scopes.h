// Finds the functions of a file and the variables inside and outside of them, as far as possible
// without a compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "labs/mutation/source.h"

namespace warpcheck::mutation {

struct Variable {
  std::string type;  // without const and spaces: "float*"
  std::string_view name;
  std::size_t token = 0;    // of the declaration
  std::size_t visible = 0;  // the first token that can use it, after its initial value
};

struct Scope {
  Range body;                       // between the braces of a function
  std::vector<Variable> variables;  // parameters first, in the order of their declarations
};

// Returns the scope of the file as a whole, then every function that it defines. Lambdas belong to
// the function that contains them.
std::vector<Scope> ScopesOf(const Source& source);

// Returns the variable that could be confused with `name` at `token`: of the variables of the same
// type declared so far the previous one, or the next one if `name` is the first. Returns nullopt if
// there is none, and at declarations.
std::optional<std::string_view> NeighbourOf(const Scope& scope, std::string_view name,
                                            std::size_t token);

}  // namespace warpcheck::mutation
