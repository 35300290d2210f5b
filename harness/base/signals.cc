#include "base/signals.h"

#include <fmt/format.h>

#include <cctype>

namespace warpcheck {

std::string SignalText(int signal) {
  const char* const known = ::sigdescr_np(signal);
  if (known == nullptr) return fmt::format("signal {}", signal);
  // Such as "Segmentation fault"; a name like "CPU time limit exceeded" keeps its capitals.
  std::string name = known;
  if (name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])) != 0) {
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  }
  return fmt::format("signal {} ({})", signal, name);
}

}  // namespace warpcheck
