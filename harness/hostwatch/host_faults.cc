#include "hostwatch/host_faults.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "debuginfo/callers.h"

namespace warpcheck {
namespace {

constexpr long kNap = 1'000'000;  // in nanoseconds
constexpr int kMostNaps = 10'000;

// The handler uses this data, which is never destroyed.
struct Explainer {
  std::function<void(const HostFault&)> explain;
  struct sigaction before = {};
  pid_t process = 0;  // which has the thread that explains
  HostFault fault;
  sem_t failed = {};  // is posted when `fault` is there
  std::atomic<bool> explained = false;
};
Explainer* explainer = nullptr;

#if defined(__x86_64__)

// The general registers by their numbers in instructions.
constexpr std::array kGeneralRegisters = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                          REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                          REG_R12, REG_R13, REG_R14, REG_R15};

std::uint64_t CodeAddress(const ucontext_t& context) {
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
}

std::uintptr_t Register(const ucontext_t& context, unsigned number) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[kGeneralRegisters.at(number)]);
}

bool IsPrefix(unsigned byte) {
  constexpr std::array kPrefixes = {0x66U, 0x67U, 0xf0U, 0xf2U, 0xf3U, 0x2eU,
                                    0x36U, 0x3eU, 0x26U, 0x64U, 0x65U};
  return std::ranges::find(kPrefixes, byte) != kPrefixes.end();
}

// Reads the beginning of an instruction (Intel's manual, volume 2, chapter 2, "Instruction
// Format").
struct Instruction {
  const unsigned char* operand = nullptr;  // the ModRM byte
  unsigned index_bit = 0;                  // 8 if the index is one of the registers 8 to 15
  unsigned base_bit = 0;                   // the same for the base
  int displacement_unit = 1;               // of a displacement of one byte
};

Instruction Read(const unsigned char* at) {
  Instruction one;
  const auto take_bits = [&](unsigned byte) {
    one.index_bit = (byte & 2U) << 2U;
    one.base_bit = (byte & 1U) << 3U;
  };
  while (IsPrefix(*at)) ++at;
  if (*at == 0x62) {  // EVEX
    take_bits(static_cast<unsigned>(~at[1]) >> 5U);
    one.displacement_unit = 16 << ((at[3] >> 5U) & 3U);
    one.operand = at + 5;
    return one;
  }
  if (*at == 0xc4) {  // VEX of three bytes
    take_bits(static_cast<unsigned>(~at[1]) >> 5U);
    one.operand = at + 4;
    return one;
  }
  if (*at == 0xc5) {  // VEX of two bytes
    one.operand = at + 3;
    return one;
  }
  if ((*at & 0xf0U) == 0x40) take_bits(*at++);  // REX
  if (*at++ == 0x0f) {
    const unsigned char opcode = *at++;
    if (opcode == 0x38 || opcode == 0x3a) ++at;
  }
  one.operand = at;
  return one;
}

template <class T>
std::uintptr_t Displacement(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<std::uintptr_t>(static_cast<std::intptr_t>(value));
}

// Returns the address of the memory operand of the instruction that failed; nothing if it has none.
std::optional<std::uintptr_t> OperandAddress(const ucontext_t& context) {
  const Instruction one = Read(reinterpret_cast<const unsigned char*>(CodeAddress(context)));
  const unsigned char* at = one.operand;
  const unsigned mode = *at >> 6U;
  const unsigned base = *at++ & 7U;
  if (mode == 3) return std::nullopt;
  std::uintptr_t address = 0;
  bool no_base = mode == 0 && base == 5;  // an address beside the code
  if (base == 4) {
    const unsigned scaled = *at++;
    const unsigned index = ((scaled >> 3U) & 7U) | one.index_bit;
    if (index != 4) address += Register(context, index) << (scaled >> 6U);
    no_base = mode == 0 && (scaled & 7U) == 5;
    if (!no_base) address += Register(context, (scaled & 7U) | one.base_bit);
  } else if (no_base) {
    return std::nullopt;
  } else {
    address += Register(context, base | one.base_bit);
  }
  if (mode == 1) {
    address += Displacement<signed char>(at) * static_cast<std::uintptr_t>(one.displacement_unit);
  } else if (mode == 2 || no_base) {
    address += Displacement<std::int32_t>(at);
  }
  return address;
}

void AddAddresses(const ucontext_t& context, HostFault& fault) {
  if (const auto operand = OperandAddress(context)) fault.AddAddress(*operand);
  // Instructions for strings (movs, stos) use fixed registers, and some have operands of a form
  // that OperandAddress does not know. So each register may hold the address.
  for (unsigned number = 0; number < kGeneralRegisters.size(); ++number) {
    fault.AddAddress(Register(context, number));
  }
}

#else

std::uint64_t CodeAddress(const ucontext_t& context) { return context.uc_mcontext.pc; }

// The operating system tells the address.
void AddAddresses(const ucontext_t&, HostFault&) {}

#endif

// Waits until the other thread has explained the fault. This thread may hold any lock: it has been
// stopped anywhere.
void WaitForExplanation() {
  const timespec nap{.tv_sec = 0, .tv_nsec = kNap};
  for (int i = 0; i < kMostNaps && !explainer->explained.load(std::memory_order_acquire); ++i) {
    ::nanosleep(&nap, nullptr);
  }
}

void OnFaultOfProgram(int, siginfo_t* info, void* context) {
  // A second fault takes its course at once.
  ::sigaction(SIGSEGV, &explainer->before, nullptr);
  if (::getpid() != explainer->process) return;
  const int error = errno;
  const auto& machine = *static_cast<const ucontext_t*>(context);
  HostFault& fault = explainer->fault;
  if (info->si_code == SI_KERNEL) {
    AddAddresses(machine, fault);
  } else {
    fault.AddAddress(reinterpret_cast<std::uintptr_t>(info->si_addr));
  }
  fault.SetCode(CodeAddress(machine));
  if (::sem_post(&explainer->failed) == 0) WaitForExplanation();
  errno = error;
}

void ExplainOne() {
  while (::sem_wait(&explainer->failed) != 0 && errno == EINTR) {
  }
  explainer->explain(explainer->fault);
  explainer->explained.store(true, std::memory_order_release);
}

// Starts the thread that explains. Signals are the program's own, so that it gets none.
bool StartThread() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread(&ExplainOne).detach();
  } catch (const std::system_error&) {
    started = false;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

void HostFault::SetCode(std::uint64_t instruction) {
  code_[0] = instruction;
  code_count_ = 1 + CallersOf(instruction, std::span(code_).subspan(1));
}

void ExplainFaults(std::function<void(const HostFault&)> explain) {
  if (explainer != nullptr) {
    explainer->explain = std::move(explain);
    return;
  }
  auto made = std::make_unique<Explainer>();
  made->explain = std::move(explain);
  made->process = ::getpid();
  if (::sem_init(&made->failed, 0, 0) != 0) return;
  explainer = made.release();
  if (!StartThread()) return;
  struct sigaction action = {};
  action.sa_sigaction = &OnFaultOfProgram;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGSEGV, &action, &explainer->before);
}

}  // namespace warpcheck
