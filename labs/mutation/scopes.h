// The functions of a file and the variables in them and outside them, as far as the text tells
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
  std::size_t token = 0;    // that declares it
  std::size_t visible = 0;  // the first token that can use it: behind its initial value
};

struct Scope {
  Range body;                       // of a function: between its braces
  std::vector<Variable> variables;  // parameters, then the others, as they are declared
};

// The file as a whole, then every function that is defined in it; lambdas belong to the function
// that they stand in.
std::vector<Scope> ScopesOf(const Source& source);

// What the use of `name` at `token` may be mistaken for: of the variables of the same type that are
// declared so far, the one before it, or after it where it is the first. nullopt where there is
// none, and at declarations.
std::optional<std::string_view> NeighbourOf(const Scope& scope, std::string_view name,
                                            std::size_t token);

}  // namespace warpcheck::mutation
