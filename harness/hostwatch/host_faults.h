// ExplainFaults() finds out which memory the program's own code wanted to use when it failed with a
// segmentation fault.
//
// Faults are per process, as their handler is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace warpcheck {

// A fault of the program's own code. It needs no memory of malloc(), in which the program may have
// failed.
class HostFault {
 public:
  // The addresses that the instruction may have accessed, the likeliest first. The operating system
  // does not tell an address that no host program can have; such addresses come from registers.
  std::span<const std::uintptr_t> addresses() const {
    return std::span(addresses_).first(address_count_);
  }
  // The instruction, then the addresses to which its callers return.
  std::span<const std::uint64_t> code() const { return std::span(code_).first(code_count_); }

  void AddAddress(std::uintptr_t address) {
    if (address_count_ < addresses_.size()) addresses_[address_count_++] = address;
  }
  // Finds the callers of the instruction on this thread's stack.
  void SetCode(std::uint64_t instruction);

 private:
  std::array<std::uintptr_t, 20> addresses_ = {};
  std::size_t address_count_ = 0;
  std::array<std::uint64_t, 65> code_ = {};
  std::size_t code_count_ = 0;
};

// Calls explain(fault) at a fault in this process, once, in a thread of its own: it may take
// memory, which the handler of a signal must not. The thread that failed waits for it, at most ten
// seconds, because it may hold a lock that `explain` needs. Then the fault takes its course, as if
// nobody had looked at it. A forked process does not inherit this.
void ExplainFaults(std::function<void(const HostFault&)> explain);

}  // namespace warpcheck
