#include "sandbox/call_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "base/descriptor.h"

namespace warpcheck::sandbox {
namespace {

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

constexpr const char* kAllowed[] = {
#define ALLOWED(name) #name,
#define OF_SUBMISSIONS(name) #name,
#define OF_WRITERS(name) #name,
#include "sandbox/system_calls.def"
};
constexpr const char* kForbidden[] = {
#define FORBIDDEN(name) #name,
#include "sandbox/system_calls.def"
};
constexpr scmp_datum_t kNamespaces[] = {CLONE_NEWCGROUP, CLONE_NEWIPC,  CLONE_NEWNET, CLONE_NEWNS,
                                        CLONE_NEWPID,    CLONE_NEWUSER, CLONE_NEWUTS};
constexpr scmp_datum_t kHarmlessRequests[] = {
#define HARMLESS_REQUEST(request) request,
#include "sandbox/system_calls.def"
};
// These requests write characters into the terminal from which grading was started.
constexpr scmp_datum_t kTerminalRequests[] = {TIOCSTI, TIOCLINUX};
constexpr scmp_datum_t kAskPersonality = 0xffff'ffff;
constexpr scmp_datum_t kHarmlessCommands[] = {
#define HARMLESS_COMMAND(command) command,
#include "sandbox/system_calls.def"
};
// The calls that send a signal, each with the index of the argument that names the signal.
constexpr std::pair<const char*, unsigned> kSends[] = {
    {"kill", 1}, {"tkill", 1}, {"tgkill", 2}, {"rt_sigqueueinfo", 1}};
constexpr scmp_datum_t kExitSignal =
    0xff;  // the bits of clone's flags with the signal that is sent when a new process ends
constexpr scmp_datum_t kLow = 0xffff'ffff;  // the kernel reads only 32 bits of these arguments

// Adds rules until libseccomp refuses one.
class Rules {
 public:
  Rules(scmp_filter_ctx context, std::uint32_t otherwise)
      : context_(context), otherwise_(otherwise) {}

  // Ignores a name that this libseccomp or this architecture does not have.
  template <class... Compare>
  void Add(std::uint32_t action, const char* name, Compare... compare) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0 || action == otherwise_ || failure_ != 0) return;
    failure_ = seccomp_rule_add(context_, action, number, sizeof...(compare), compare...);
  }
  int failure() const { return failure_; }

  // Adds the call if its argument, a small number, differs from `number`. Compares only 32 bits,
  // because the kernel reads 32 of the 64 bits that a filter sees.
  void AddUnless(scmp_datum_t number, const char* name, unsigned argument) {
    for (scmp_datum_t bit = 1; bit < 128; bit *= 2) {
      Add(SCMP_ACT_ALLOW, name, SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, bit, ~number & bit));
    }
  }

 private:
  scmp_filter_ctx context_;
  std::uint32_t otherwise_;
  int failure_ = 0;
};

void AddRules(Rules& rules) {
  for (const char* const name : kAllowed) rules.Add(SCMP_ACT_ALLOW, name);
  for (const char* const name : kForbidden) rules.Add(SCMP_ACT_NOTIFY, name);
  scmp_datum_t namespaces = 0;
  for (const scmp_datum_t flag : kNamespaces) {
    namespaces |= flag;
    rules.Add(SCMP_ACT_NOTIFY, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  }
  for (const scmp_datum_t signal : {scmp_datum_t{0}, scmp_datum_t{SIGCHLD}}) {
    rules.Add(SCMP_ACT_ALLOW, "clone",
              SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces | kExitSignal, signal));
  }
  // The flags of clone3 are in memory, which a filter cannot read. The C library then uses clone.
  rules.Add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  for (const scmp_datum_t request : kTerminalRequests) {
    rules.Add(SCMP_ACT_NOTIFY, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, kLow, request));
  }
  for (const scmp_datum_t request : kHarmlessRequests) {
    rules.Add(SCMP_ACT_ALLOW, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, kLow, request));
  }
  // The C library asks local services for names, but also works without them.
  rules.Add(SCMP_ACT_ERRNO(EACCES), "socket", SCMP_A0(SCMP_CMP_EQ, AF_UNIX, 0));
  rules.Add(SCMP_ACT_NOTIFY, "socket", SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
  rules.Add(SCMP_ACT_ALLOW, "personality", SCMP_A0(SCMP_CMP_EQ, kAskPersonality, 0));
  rules.Add(SCMP_ACT_NOTIFY, "personality", SCMP_A0(SCMP_CMP_NE, kAskPersonality, 0));
  // A program may read its own limits, but not set them.
  rules.Add(SCMP_ACT_ALLOW, "prlimit64", SCMP_A2(SCMP_CMP_EQ, 0, 0));
}

// Adds rules that make the cause of an ending clear, and all activity of its processes countable.
void AddSubmissionRules(Rules& rules) {
  // A submission cannot send SIGKILL, so a SIGKILL comes from outside.
  for (const auto& [name, argument] : kSends) {
    rules.AddUnless(SIGKILL, name, argument);
    rules.Add(SCMP_ACT_NOTIFY, name, SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, kLow, SIGKILL));
  }
  // A submission cannot ignore the end of its processes, because their processor time would be
  // lost.
  rules.AddUnless(SIGCHLD, "rt_sigaction", 0);
  rules.Add(SCMP_ACT_ERRNO(EPERM), "rt_sigaction", SCMP_A0(SCMP_CMP_MASKED_EQ, kLow, SIGCHLD));
  for (const scmp_datum_t command : kHarmlessCommands) {
    rules.Add(SCMP_ACT_ALLOW, "fcntl", SCMP_A1(SCMP_CMP_MASKED_EQ, kLow, command));
  }
}

tl::unexpected<Error> Failure(std::string_view action, int error) {
  return Fail(fmt::format("cannot {} a filter of system calls: {}", action, std::strerror(error)));
}

Result<int> MakeFile(Calls calls) {
  // Libseccomp writes a filter for any kernel. The supervisor finds out what this kernel supports.
  seccomp_api_set(5);
  const std::uint32_t otherwise =
      calls == Calls::kSubmission ? SCMP_ACT_ERRNO(ENOSYS) : SCMP_ACT_ALLOW;
  const Context context(seccomp_init(otherwise), &seccomp_release);
  if (context == nullptr) return Failure("make", ENOMEM);
  constexpr std::uint32_t kBinaryTree = 2;
  seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree);
  int failure = seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_NOTIFY);
  Rules rules(context.get(), otherwise);
  AddRules(rules);
  if (calls == Calls::kSubmission) AddSubmissionRules(rules);
  if (failure == 0) failure = rules.failure();
  if (failure != 0) return Failure("make", -failure);
  const Descriptor file(::memfd_create("calls", MFD_CLOEXEC));
  if (file.get() < 0) return Failure("keep", errno);
  failure = seccomp_export_bpf(context.get(), file.get());
  if (failure != 0) return Failure("keep", -failure);
  const int kept = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 10);
  if (kept < 0) return Failure("keep", errno);
  return kept;
}

}  // namespace

Result<int> CallFilterFile(Calls calls) {
  if (calls == Calls::kAll) return -1;
  static const Result<int> submission = MakeFile(Calls::kSubmission);
  static const Result<int> compiler = MakeFile(Calls::kCompiler);
  return calls == Calls::kSubmission ? submission : compiler;
}

std::string CallName(int number) {
  if (number < 0) return "one of another architecture";
  char* const name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  std::string text = name != nullptr ? name : fmt::format("number {}", number);
  std::free(name);
  return text;
}

}  // namespace warpcheck::sandbox
