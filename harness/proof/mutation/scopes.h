// Finds the functions of a file, and the variables inside and outside of them, as well as this is
// possible without a compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proof/mutation/source.h"

namespace warpcheck::mutation {

struct Variable {
  std::string type;  // the type without const and spaces, such as "float*"
  std::string_view name;
  std::size_t token = 0;    // the token of the declaration
  std::size_t visible = 0;  // the first token that can use it, after its initial value
};

struct Scope {
  Range body;  // the tokens between the braces of a function
  // Variables in the order of their declarations, with parameters first.
  std::vector<Variable> variables;
};

// Returns the scope of the file as a whole, followed by every function that it defines. Lambdas
// belong to the function that contains them.
std::vector<Scope> ScopesOf(const Source& source);

// Returns the variable that could be confused with `name` at `token`. Among the variables of the
// same type declared so far this is the previous one, or the next one if `name` is the first.
// Returns nullopt if there is no such variable, and at declarations.
std::optional<std::string_view> NeighbourOf(const Scope& scope, std::string_view name,
                                            std::size_t token);

}  // namespace warpcheck::mutation
