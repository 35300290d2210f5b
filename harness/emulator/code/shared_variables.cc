#include "emulator/code/shared_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/round_up.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "emulator/code/shared_words.h"

namespace warpcheck::emulator {
namespace {

// Returns the variable's own name: "tile" for "_ZZ5tilesPfE4tile", which is "tiles(float*)::tile".
std::string NameOf(const ptx::Symbol& symbol) {
  std::string name = Demangle(symbol.name);
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

// Returns the distance from the range to `at`, which may be negative; returns 0 if `at` is inside
// the range.
std::uint64_t Distance(const SharedRange& range, std::int64_t at) {
  const auto begin = static_cast<std::int64_t>(range.begin);
  const auto end = static_cast<std::int64_t>(range.end);
  return static_cast<std::uint64_t>(at < begin ? begin - at : at < end ? 0 : at - end);
}

std::string Named(const SharedVariable& variable, const SharedRange& range) {
  const std::string size = Counted(range.end - range.begin, "byte");
  return variable.is_dynamic ? fmt::format("the {} ({})", kDynamicShared, size)
                             : fmt::format("the shared variable {} ({})", variable.name, size);
}

}  // namespace

SharedLayout LayOutShared(const ptx::Module& module, const std::set<ptx::SymbolId>& symbols) {
  SharedLayout layout;
  std::vector<SharedVariable> dynamic;
  std::uint64_t dynamic_align = 16;
  std::uint64_t end = 0;
  for (const ptx::SymbolId id : symbols) {
    const ptx::Symbol& symbol = module.symbols[id];
    if (symbol.space != ptx::Space::kShared) continue;
    if (symbol.bytes == 0) {
      dynamic_align = std::max<std::uint64_t>(dynamic_align, symbol.align);
      dynamic.push_back({id, NameOf(symbol), {}, true});
      continue;
    }
    const std::uint64_t begin = RoundUp(end, symbol.align);
    end = begin + symbol.bytes;
    layout.variables.push_back({id, NameOf(symbol), {begin, end}, false});
  }
  layout.static_bytes = dynamic.empty() ? end : RoundUp(end, dynamic_align);
  for (SharedVariable& variable : dynamic) {
    variable.range.begin = layout.static_bytes;
    layout.variables.push_back(std::move(variable));
  }
  return layout;
}

std::string DescribeShared(const std::vector<SharedVariable>& variables, const SharedRange& allowed,
                           std::int64_t begin, std::uint64_t bytes, std::uint64_t block_bytes) {
  const SharedVariable* nearest = nullptr;
  const SharedVariable* hit = nullptr;
  SharedRange range;
  for (const SharedVariable& variable : variables) {
    const SharedRange here{variable.range.begin, std::min(variable.range.end, block_bytes)};
    if (!allowed.Contains(variable.range)) {
      if (hit == nullptr && Distance(here, begin) == 0) hit = &variable;
    } else if (nearest == nullptr || Distance(here, begin) < Distance(range, begin)) {
      nearest = &variable;
      range = here;
    }
  }
  if (nearest == nullptr) return "outside its variable";
  const std::string name = Named(*nearest, range);
  const std::uint64_t distance = Distance(range, begin);
  std::string text;
  if (begin < static_cast<std::int64_t>(range.begin)) {
    text = fmt::format("{} before the start of {}", Counted(distance, "byte"), name);
  } else if (begin < static_cast<std::int64_t>(range.end)) {
    const std::uint64_t inside = range.end - static_cast<std::uint64_t>(begin);
    return fmt::format("across the end of {}: only {} are inside", name,
                       Counted(std::min(bytes, inside), "byte"));
  } else if (distance == 0) {
    text = fmt::format("just past the end of {}", name);
  } else {
    text = fmt::format("{} past the end of {}", Counted(distance, "byte"), name);
  }
  if (hit == nullptr) return text;
  return text + fmt::format(", where {} lies", hit->is_dynamic ? kDynamicShared : hit->name);
}

}  // namespace warpcheck::emulator
