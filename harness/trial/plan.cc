#include "trial/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace warpcheck {

// The type name of the tag holds the function's name as "L_Z9transposePKfPfiiE". Its parameters
// cannot be used where they repeat each other, since back references count from the start of the
// whole name. The type name of the pointer, "PFvPKfPfiiE", holds the parameters as the function's
// own name does. The name of an extern "C" function has no parameters.
std::string plan_internal::MangledName(std::string_view tag, std::string_view pointer) {
  constexpr std::string_view kBefore = "L_Z";
  constexpr std::string_view kPointer = "PFv";
  const std::size_t begin = tag.find(kBefore);
  std::string_view rest = tag.substr(std::min(tag.size(), begin + kBefore.size()));
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  WARPCHECK_CHECK(begin != std::string_view::npos && error == std::errc() &&
                      pointer.starts_with(kPointer) && pointer.ends_with('E'),
                  "the function must return void and be in no namespace");
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  const std::string_view name = rest.substr(0, length);
  if (rest.substr(length).starts_with('E')) return std::string(name);
  pointer.remove_prefix(kPointer.size());
  pointer.remove_suffix(1);
  return fmt::format("_Z{}{}{}", length, name, pointer);
}

Plan::ArrayIndex Plan::Add(std::shared_ptr<const ArrayStart> array, bool writes) {
  const auto known = std::find(arrays.begin(), arrays.end(), array);
  if (known != arrays.end()) {
    const auto index = static_cast<ArrayIndex>(known - arrays.begin());
    may_write[index] = may_write[index] || writes;
    return index;
  }
  arrays.push_back(std::move(array));
  may_write.push_back(writes);
  return arrays.size() - 1;
}

bool SameCall(const Plan& a, const Plan& b) {
  const auto same_array = [](const auto& one, const auto& other) {
    return one->type == other->type && one->extents == other->extents &&
           one->is_input == other->is_input && one->bytes == other->bytes;
  };
  return a.function == b.function && a.arguments == b.arguments &&
         std::ranges::equal(a.arrays, b.arrays, same_array);
}

std::shared_ptr<const Plan> WithFreshMemory(const std::shared_ptr<const Plan>& plan) {
  auto again = std::make_shared<Plan>(*plan);
  again->in_fresh_memory = true;
  for (auto& array : again->arrays) array = std::make_shared<ArrayStart>(*array);
  return again;
}

}  // namespace warpcheck
