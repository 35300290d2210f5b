#include "sandbox/confine/confined_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

namespace warpcheck::sandbox {
namespace {

constexpr const char* kOfJudges[] = {
#define ALLOWED(name) #name,
#define OF_THE_JUDGE(name) #name,
#include "sandbox/system_calls.def"
#if defined(__SANITIZE_ADDRESS__)
    "clone", "ptrace",  // the leak sanitizer stops all threads at the end
#endif
};
constexpr const char* kOfWriters[] = {
#define OF_WRITERS(name) #name,
#include "sandbox/system_calls.def"
};
constexpr scmp_datum_t kCommands[] = {
#define HARMLESS_COMMAND(command) command,
#include "sandbox/system_calls.def"
};
constexpr scmp_datum_t kRequests[] = {
#define HARMLESS_REQUEST(request) request,
#include "sandbox/system_calls.def"
};
// The calls that open a file, each with the index of the argument that has the flags. The flags of
// openat2 are in memory, which a filter cannot read.
struct Opens {
  const char* name;
  unsigned flags;
};
constexpr Opens kOpens[] = {{"open", 1}, {"openat", 2}};

constexpr scmp_datum_t kLowHalf = 0xffff'ffff;  // the kernel reads only 32 bits of these arguments
constexpr scmp_datum_t kSocketType = 0xf;       // the bits of a socket's type without its flags
// The types of sockets whose messages go to the other end, whatever address they name.
constexpr scmp_datum_t kConnectedTypes[] = {SOCK_STREAM, SOCK_SEQPACKET};

tl::unexpected<Error> NoFilter(int error) {
  return Fail(
      fmt::format("cannot confine the checks: filter system calls: {}", std::strerror(error)));
}

// Allows calls until libseccomp refuses a rule.
class CallsOfJudges {
 public:
  CallsOfJudges() : context_(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), &seccomp_release) {
    if (context_ == nullptr) {
      failure_ = -ENOMEM;
      return;
    }
    constexpr std::uint32_t kBinaryTree = 2;
    seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree);
    failure_ = seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1);
  }

  // Ignores a name that this libseccomp or this architecture does not have.
  template <class... Compare>
  void Allow(const char* name, Compare... compare) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0 || failure_ != 0) return;
    failure_ =
        seccomp_rule_add(context_.get(), SCMP_ACT_ALLOW, number, sizeof...(compare), compare...);
  }

  // Allows the call if the bits `mask` of an argument are `value`.
  void AllowIf(const char* name, unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
    Allow(name, SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value));
  }

  Result<> Load() {
    if (failure_ == 0) failure_ = seccomp_load(context_.get());
    if (failure_ == 0) return {};
    return NoFilter(-failure_);
  }

 private:
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int failure_ = 0;
};

void AllowOpening(CallsOfJudges& filter, Writes writes) {
  for (const auto& [name, flags] : kOpens) {
    // A file that is opened to be read is neither made nor cut.
    filter.AllowIf(name, flags, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    if (writes == Writes::kNothing) continue;
    // Landlock looks at what the file is opened for. It does not look at O_ACCMODE, which is opened
    // for nothing but ioctl, or, before its third version, at a file that is opened to be read and
    // is cut.
    filter.AllowIf(name, flags, O_ACCMODE, O_WRONLY);
    filter.AllowIf(name, flags, O_ACCMODE, O_RDWR);
  }
}

// A message to another address than the other end goes through a socket of another type.
void CloseOtherSockets() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  constexpr rlim_t kMost = 1 << 16;
  for (int fd = 0; fd < static_cast<int>(std::min(limit.rlim_cur, kMost)); ++fd) {
    int type = 0;
    socklen_t bytes = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0) continue;
    if (type != SOCK_STREAM && type != SOCK_SEQPACKET) ::close(fd);
  }
}

}  // namespace

Result<> ConfineCalls(Writes writes) {
  CloseOtherSockets();
  CallsOfJudges filter;
  for (const char* const name : kOfJudges) filter.Allow(name);
  if (writes == Writes::kFolders) {
    for (const char* const name : kOfWriters) filter.Allow(name);
  }
  AllowOpening(filter, writes);
  for (const scmp_datum_t command : kCommands) filter.AllowIf("fcntl", 1, kLowHalf, command);
  for (const scmp_datum_t request : kRequests) filter.AllowIf("ioctl", 1, kLowHalf, request);
#if !defined(__SANITIZE_ADDRESS__)
  filter.AllowIf("clone", 0, CLONE_THREAD, CLONE_THREAD);
#endif
  // The limits of this process, and a signal to one of its threads, as abort() sends it.
  filter.AllowIf("prlimit64", 0, kLowHalf, 0);
  filter.AllowIf("tgkill", 0, kLowHalf, static_cast<scmp_datum_t>(::getpid()));
  for (const scmp_datum_t type : kConnectedTypes) {
    filter.Allow("socketpair", SCMP_A0_64(SCMP_CMP_MASKED_EQ, kLowHalf, AF_UNIX),
                 SCMP_A1_64(SCMP_CMP_MASKED_EQ, kSocketType, type));
  }
  filter.Allow("sendto", SCMP_A4_64(SCMP_CMP_EQ, 0));  // to no address, as send() does
  return filter.Load();
}

}  // namespace warpcheck::sandbox
