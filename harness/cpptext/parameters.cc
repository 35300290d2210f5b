#include "cpptext/parameters.h"

#include <algorithm>

#include "base/text.h"
#include "cpptext/preprocessing.h"

namespace warpcheck::cpptext {
namespace {

// Returns the name in "const float* in" or "float out[4] = {}", or an empty text if there is only a
// type.
std::string NameOf(std::string_view parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  while (!parameter.empty() && !IsOfIdentifier(parameter.back())) {
    if (parameter.back() == '*' || parameter.back() == '&') return {};
    parameter.remove_suffix(1);
  }
  std::size_t begin = parameter.size();
  while (begin > 0 && IsOfIdentifier(parameter[begin - 1])) --begin;
  const bool alone = parameter.find_first_not_of(" \n\t") == begin;
  return alone ? std::string() : std::string(parameter.substr(begin));
}

// Returns the names in the text between the brackets of a declaration.
std::vector<std::string> NamesIn(std::string_view parameters) {
  std::vector<std::string> names;
  while (!parameters.empty()) {
    const std::size_t comma = std::min(parameters.find(','), parameters.size());
    names.push_back(NameOf(parameters.substr(0, comma)));
    parameters.remove_prefix(std::min(comma + 1, parameters.size()));
  }
  return names;
}

}  // namespace

std::vector<std::string> ParameterNames(std::string_view header, std::string_view function,
                                        std::size_t count) {
  const std::string code = WithoutCommentsAndLiterals(header);
  for (std::size_t at = code.find(function); at != std::string::npos;
       at = code.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    const bool whole =
        end < code.size() && code[end] == '(' && (at == 0 || !IsOfIdentifier(code[at - 1]));
    const std::size_t close = code.find(')', end);
    if (!whole || close == std::string::npos) continue;
    std::vector<std::string> names =
        NamesIn(std::string_view(code).substr(end + 1, close - end - 1));
    if (names.size() == count) return names;
  }
  return {};
}

}  // namespace warpcheck::cpptext
