// These are the rules that every file of harness/ obeys, so that a reader finds a thing by its
// name. file_rules_test.cc applies them to the tree. They are heuristics over the text of a file as
// clang-format lays it out; they use no compiler.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::layering {

// Returns how many anonymous namespaces a source opens. One is enough: a second one starts a second
// subject, which belongs in a file of its own.
int AnonymousNamespaces(std::string_view source);

// Returns the names of the functions that a source defines outside of its anonymous namespaces, as
// it writes them: "Parse", "Parser::Next". A function counts if its name and '(' stand in a line
// that begins at the margin and does not end with ';'.
std::vector<std::string> DefinedFunctions(std::string_view source);

// Returns true when a header declares this function, or, for "Parser::Next", defines its class.
bool Declares(std::string_view header, std::string_view function);

// Returns the functions of a source that another header of its folder declares, although the header
// with the source's own name does not. `headers` are the headers of the folder by file name.
std::vector<std::string> DefinedForOthers(
    std::string_view source_name, std::string_view source,
    const std::map<std::string, std::string, std::less<>>& headers);

// Returns the first sentence of the comment that a file begins with, in one line; empty when the
// file does not begin with a comment.
std::string OpeningSentence(std::string_view file);

// Returns true when a word of the sentence is in `verbs`, in lower case.
bool HasVerb(std::string_view sentence, const std::set<std::string, std::less<>>& verbs);

}  // namespace warpcheck::layering
