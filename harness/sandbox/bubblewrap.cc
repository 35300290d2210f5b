#include "sandbox/bubblewrap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/check.h"
#include "base/programs.h"
#include "sandbox/fork_server.h"
#include "sandbox/launch.h"
#include "sandbox/monitor.h"
#include "sandbox/mount_stage.h"
#include "sandbox/supervisor/supervisor_protocol.h"

namespace warpcheck::sandbox {

namespace {

namespace fs = std::filesystem;

// Returns the path of bubblewrap.
Result<std::string> FindBubblewrap() {
  if (const auto program = OnPath("bwrap")) return program->string();
  return Fail("bubblewrap is not installed", {},
              "apt install bubblewrap; or pass --no-sandbox, at your own risk");
}

// Returns a user id that root changes to before bubblewrap starts; 0 if this process is not root,
// because then programs keep the user. Each sandbox gets an id of its own, from a range that no
// system uses, so that no two sandboxes can signal each other or share the kernel's count of
// processes.
unsigned UnprivilegedUser() {
  if (::geteuid() != 0) return 0;
  static std::atomic<unsigned> runs = 0;
  constexpr unsigned kFirstUser = 0x6000'0000;
  return kFirstUser + (static_cast<unsigned>(::getpid()) & 0x3fffff) * 64 + runs++ % 64;
}

// Adds options for new namespaces in which the program has no rights.
std::vector<std::string> IsolationOptions() {
  return {
      "--unshare-user",       "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
      "--unshare-cgroup-try", "--new-session", "--as-pid-1",    "--cap-drop",    "ALL",
      "--clearenv",           "--hostname",    "sandbox"};
}

// Adds options for the mounts of `stage`, and then for making the root folder read-only. They come
// last.
std::vector<std::string> MountOptions(const std::vector<Mount>& mounts, const MountStage& stage) {
  std::vector<std::string> options;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Mount& mount = mounts[i];
    options.insert(options.end(),
                   {mount.writable ? "--bind" : "--ro-bind", stage.path(i), mount.inside.string()});
  }
  std::error_code ignored;
  if (fs::is_directory("/usr/local", ignored)) {
    options.insert(options.end(), {"--remount-ro", "/usr/local"});
  }
  options.insert(options.end(), {"--remount-ro", "/", "--"});
  return options;
}

// Adds options for /usr without /usr/local, for the links in this machine's root folder that point
// into it, and for /proc and /dev.
std::vector<std::string> SystemOptions() {
  std::vector<std::string> options = {"--ro-bind", "/usr", "/usr"};
  const auto add = [&](std::initializer_list<std::string> more) {
    options.insert(options.end(), more);
  };
  std::error_code ignored;
  if (fs::is_directory("/usr/local", ignored)) add({"--size", "65536", "--tmpfs", "/usr/local"});
  for (const char* name : {"/bin", "/lib", "/lib32", "/lib64"}) {
    if (fs::is_symlink(name, ignored)) {
      add({"--symlink", fs::read_symlink(name, ignored).string(), name});
    } else if (fs::is_directory(name, ignored)) {
      add({"--ro-bind", name, name});
    }
  }
  add({"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"});
  add({"--ro-bind-try", "/etc/alternatives", "/etc/alternatives"});
  add({"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev/pts", "--remount-ro", "/dev"});
  return options;
}

// Returns the error that bubblewrap cannot be used here, with the remedy.
tl::unexpected<Error> CannotWork(std::string reason) {
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  for (const char* of_a_limit : {"Resource temporarily unavailable", "Too many open files",
                                 "Cannot allocate memory", "File too large"}) {
    if (reason.find(of_a_limit) == std::string::npos) continue;
    return Fail(fmt::format("bubblewrap cannot make a sandbox here: {}", reason), {},
                "a limit of this shell or of this user is too low (`ulimit -a` shows them): raise "
                "-u (processes), -n (open files), -v (memory) or -f (the size of a file)");
  }
  return Fail(
      fmt::format("bubblewrap cannot make a sandbox here: {}", reason), {},
      "let unprivileged users make namespaces (sysctl kernel.unprivileged_userns_clone=1, "
      "kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0). Start a "
      "container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
      "--security-opt systempaths=unconfined. Or pass --no-sandbox, at your own risk");
}

class Bubblewrap : public Sandbox {
 public:
  explicit Bubblewrap(std::string program)
      : program_(std::move(program)), system_(SystemOptions()) {}

  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    LaunchPlan plan;
    plan.command = command;
    plan.unprivileged = UnprivilegedUser();
    plan.stage = WARPCHECK_TRY(MountStage::Make(command.mounts, plan.unprivileged != 0));
    plan.prefix = Options(plan);
    return Monitor::Start(std::move(plan));
  }

 private:
  std::vector<std::string> Options(const LaunchPlan& plan) const {
    std::vector<std::string> options = {program_, "--disable-userns", "--die-with-parent"};
    const auto add = [&](const std::vector<std::string>& more) {
      options.insert(options.end(), more.begin(), more.end());
    };
    add(IsolationOptions());
    add(system_);
    const Command& command = plan.command;
    add({"--size", std::to_string(TmpBytes(command.limits.file_bytes)), "--tmpfs", "/tmp"});
    add(MountOptions(command.mounts, plan.stage));
    return options;
  }

  std::string program_;
  std::vector<std::string> system_;
};

// Returns true for a mount below /tmp or /proc, over which each program mounts its own.
bool WouldBeCovered(const Mount& mount) {
  const fs::path inside = mount.inside.lexically_normal();
  return std::ranges::any_of(
      std::initializer_list<fs::path>{"/tmp", "/proc"},
      [&](const auto& own) { return std::ranges::mismatch(own, inside).in1 == own.end(); });
}

class Jail : public Sandbox {
 public:
  Jail(std::string bubblewrap, std::vector<Mount> mounts, std::string fork_server)
      : bubblewrap_(std::move(bubblewrap)),
        mounts_(std::move(mounts)),
        fork_server_program_(std::move(fork_server)) {
    for (const Mount& mount : mounts_) {
      WARPCHECK_CHECK(!mount.writable && !WouldBeCovered(mount),
                      "mounts of a jail are read-only, and not below /tmp or /proc");
    }
  }

  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    WARPCHECK_CHECK(command.mounts.empty(), "a jail has its mounts from the beginning");
    auto fork_server = WARPCHECK_TRY(LivingForkServer());
    LaunchPlan plan;
    plan.command = command;
    plan.fork_server = std::move(fork_server);
    return Monitor::Start(std::move(plan));
  }

 private:
  Result<std::shared_ptr<ForkServer>> LivingForkServer() {
    const std::lock_guard lock(mutex_);
    if (fork_server_ != nullptr && fork_server_->alive()) return fork_server_;
    fork_server_.reset();
    const unsigned user = UnprivilegedUser();
    const auto stage = WARPCHECK_TRY(MountStage::Make(mounts_, user != 0));
    auto made = ForkServer::Make(Options(stage), fork_server_program_, stage, user);
    if (!made) return CannotWork(made.error().message);
    fork_server_ = *std::move(made);
    return fork_server_;
  }

  std::vector<std::string> Options(const MountStage& stage) const {
    std::vector<std::string> options = {bubblewrap_};
    for (const auto& more :
         {IsolationOptions(), SystemOptions(), std::vector<std::string>{"--dir", "/tmp"},
          MountOptions(mounts_, stage)}) {
      options.insert(options.end(), more.begin(), more.end());
    }
    return options;
  }

  std::string bubblewrap_;
  std::vector<Mount> mounts_;
  std::string fork_server_program_;
  std::mutex mutex_;
  std::shared_ptr<ForkServer> fork_server_;  // shared with the programs that run in it
};

}  // namespace

Result<void> Works(Sandbox& sandbox) {
  Command probe;
  probe.arguments = {"/usr/bin/true"};
  const auto ending = WARPCHECK_TRY(sandbox.Run(probe));
  if (ending.cause == Cause::kSandboxFault) return CannotWork(ending.stderr_text);
  if (ending.cause != Cause::kExited || ending.exit_code != 0) {
    return CannotWork("/usr/bin/true " + ending.Text(probe.limits));
  }
  return {};
}

Result<std::unique_ptr<Sandbox>> MakeBubblewrap() {
  auto program = WARPCHECK_TRY(FindBubblewrap());
  return std::make_unique<Bubblewrap>(std::move(program));
}

Result<std::unique_ptr<Sandbox>> MakeJail(std::vector<Mount> mounts, std::string fork_server) {
  auto bubblewrap = WARPCHECK_TRY(FindBubblewrap());
  auto jail =
      std::make_unique<Jail>(std::move(bubblewrap), std::move(mounts), std::move(fork_server));
  WARPCHECK_TRY(Works(*jail));
  return jail;
}

}  // namespace warpcheck::sandbox
