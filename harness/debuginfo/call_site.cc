#include "debuginfo/call_site.h"

#include <dlfcn.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/demangle.h"
#include "debuginfo/host_lines.h"

namespace warpcheck {
namespace {

struct Stack {
  std::array<std::uintptr_t, 64> addresses = {};
  std::size_t depth = 0;
};

_Unwind_Reason_Code Push(_Unwind_Context* context, void* data) {
  auto& stack = *static_cast<Stack*>(data);
  if (stack.depth == stack.addresses.size()) return _URC_END_OF_STACK;
  stack.addresses[stack.depth++] = _Unwind_GetIP(context);
  return _URC_NO_REASON;
}

bool IsEntryPoint(const char* name) {
  const std::string_view text = name == nullptr ? "" : name;
  return text.starts_with("cuda") || text.starts_with("__cuda");
}

// Programs write a launch as <<<>>>, so the text does not have the function's name.
std::string NameFor(const std::string& entry_point) {
  return entry_point == "__cudaLaunchKernel" || entry_point == "cudaLaunchKernel"
             ? "a kernel launch"
             : entry_point;
}

CallSite CallOf(const Stack& stack, const void* skip) {
  CallSite site{.function = "a CUDA call", .caller = {}, .address = 0};
  Dl_info here = {};
  if (dladdr(reinterpret_cast<void*>(&CurrentCall), &here) == 0) return site;
  bool entered = false;
  bool has_line = false;
  const void* program = nullptr;  // the object that made the call
  for (const std::uintptr_t address : std::span(stack.addresses).first(stack.depth)) {
    Dl_info frame = {};
    // A return address may be the address after the last instruction of its function.
    if (dladdr(reinterpret_cast<void*>(address - 1), &frame) == 0) continue;
    if (frame.dli_fbase == here.dli_fbase) {
      // If a caller ended by jumping to the call, it has left no frame.
      const bool entry = IsEntryPoint(frame.dli_sname);
      if (program != nullptr || (!entry && entered)) break;
      if (entry) site.function = NameFor(frame.dli_sname);
      entered = entered || entry;
      continue;
    }
    if (program == nullptr) {
      program = frame.dli_fbase;
      site.address = address;
    }
    if (frame.dli_fbase != program) break;
    if (!has_line && HostLines::OfProcess().OfCall(address).known()) {
      has_line = true;
      site.address = address;
      site.caller.clear();
    }
    if (site.caller.empty() && frame.dli_sname != nullptr && frame.dli_saddr != skip) {
      site.caller = Demangle(frame.dli_sname);
    }
    if (has_line && !site.caller.empty()) break;
  }
  return site;
}

// Returns the address that the calls of this thread have; 0 for the one on the stack.
std::uint64_t& GivenAddress() {
  thread_local std::uint64_t address = 0;
  return address;
}

// Remembers results, because a program that allocates in a loop asks from the same place each time.
CallSite CallOnStack(const void* skip) {
  constexpr std::size_t kMostRemembered = 256;
  thread_local std::map<std::pair<std::vector<std::uintptr_t>, const void*>, CallSite> known;
  Stack stack;
  _Unwind_Backtrace(Push, &stack);
  const auto& addresses = stack.addresses;
  std::pair key{std::vector(addresses.begin(), addresses.begin() + stack.depth), skip};
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  if (known.size() == kMostRemembered) known.clear();
  return known.emplace(std::move(key), CallOf(stack, skip)).first->second;
}

}  // namespace

std::string CallSite::Text() const {
  return caller.empty() ? function : function + " in " + caller;
}

CallSite CurrentCall(const void* skip) {
  CallSite site = CallOnStack(skip);
  if (GivenAddress() != 0) site.address = GivenAddress();
  return site;
}

CallsAt::CallsAt(std::uint64_t address) : outer_(GivenAddress()) {
  if (address != 0) GivenAddress() = address;
}

CallsAt::~CallsAt() { GivenAddress() = outer_; }

}  // namespace warpcheck
