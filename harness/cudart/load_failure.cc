#include "cudart/cudart.h"

namespace warpcheck::cudart {

std::string ExplainLoadFailure(std::string_view reason) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = reason.find(kUndefined);
  if (at == std::string_view::npos) return std::string(reason);
  const std::string_view rest = reason.substr(at + kUndefined.size());
  const std::string symbol(rest.substr(0, rest.find_first_of(", \n")));
  if (symbol.starts_with("__cudaRegisterLinkedBinary")) {
    return "the object was compiled with -rdc=true, which warpcheck does not offer: compile "
           "without";
  }
  if (symbol.starts_with("cuda") || symbol.starts_with("__cuda")) {
    return "the object calls " + symbol +
           ", which is not in the CUDA runtime that warpcheck offers";
  }
  return "the object calls " + symbol + ", which is defined neither in it nor in the C++ library";
}

}  // namespace warpcheck::cudart
