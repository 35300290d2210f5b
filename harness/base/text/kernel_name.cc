#include "base/text/kernel_name.h"

#include <algorithm>
#include <cstddef>

namespace warpcheck {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// Returns where template arguments or parameters begin: at the first '<' or '(' that does not
// belong to a namespace without a name.
std::size_t EndOfName(std::string_view kernel) {
  std::size_t end = kernel.find_first_of("<(");
  while (end != std::string_view::npos && kernel.substr(end).starts_with(kAnonymous)) {
    end = kernel.find_first_of("<(", end + kAnonymous.size());
  }
  return std::min(end, kernel.size());
}

}  // namespace

std::string PlainKernelName(std::string_view kernel) {
  std::string_view name = kernel.substr(0, EndOfName(kernel));
  if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos) {
    name.remove_prefix(colons + 2);
  }
  if (const std::size_t space = name.rfind(' '); space != std::string_view::npos) {
    name.remove_prefix(space + 1);
  }
  return std::string(name);
}

std::string KernelWithoutParameters(std::string kernel) {
  const std::string unnamed = std::string(kAnonymous) + "::";
  for (std::size_t at = kernel.find(unnamed); at != std::string::npos;
       at = kernel.find(unnamed, at)) {
    kernel.erase(at, unnamed.size());
  }
  constexpr std::string_view kVoid = "void ";
  if (kernel.starts_with(kVoid)) kernel.erase(0, kVoid.size());
  // A bracket between < and > belongs to a template argument, such as (Mode)1.
  int depth = 0;
  const auto begins_parameters = [&depth](char c) {
    if (c == '<') ++depth;
    if (c == '>') --depth;
    return c == '(' && depth == 0;
  };
  return std::string(kernel.begin(), std::ranges::find_if(kernel, begins_parameters));
}

std::string KernelOnOneLine(std::string_view kernel) {
  constexpr std::size_t kLongest = 80;
  const std::size_t end = EndOfName(kernel);
  if (kernel.size() <= kLongest || end == kernel.size()) return std::string(kernel);
  return std::string(kernel.substr(0, end)) + (kernel[end] == '<' ? "<...>(...)" : "(...)");
}

}  // namespace warpcheck
