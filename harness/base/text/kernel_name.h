// Shortens the names of kernels. All take a demangled name, with or without its parameters, such as
// "void ns::tile<float>(float*, int)".
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// Returns "tile": the name without return type, namespaces, template arguments and parameters.
std::string PlainKernelName(std::string_view kernel);

// Returns "ns::tile<float>": the name without return type, parameters, and namespaces that have no
// name.
std::string KernelWithoutParameters(std::string kernel);

// Returns the whole name. If it is longer than a line, as in libraries, "..." replaces the template
// arguments and the parameters: "void ns::tile<...>(...)".
std::string KernelOnOneLine(std::string_view kernel);

}  // namespace warpcheck
