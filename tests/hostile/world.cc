#include "hostile/world.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <thread>

#include "base/check.h"
#include "base/files.h"

namespace warpcheck::hostile {
namespace {

namespace fs = std::filesystem;

// opens_sockets.cu uses all of these ports. Root's half of the test runs at the same time as the
// ordinary user's, and two users cannot share a port.
constexpr int kPorts[] = {47811, 47812};
constexpr const char* kLocalNames[] = {"warpcheck-canary", "warpcheck-canary-of-user"};

int Own() { return ::geteuid() == 0 ? 0 : 1; }

void Require(bool condition, const char* what) { WARPCHECK_CHECK(condition, what); }

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  Require(WriteFile(path, text).has_value(), "cannot write a file of the world");
}

int CountDescriptors() {
  return static_cast<int>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

// Waits for orphans, which become children of this process, and for processes that are being
// killed.
bool NobodyIsLeft() {
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
    if (ended < 0) return true;
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

Descriptor Bound(int family, int type, const sockaddr* address, socklen_t size) {
  Descriptor made(::socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;  // the parts of this test run at the same time
  ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
  Require(::bind(made.get(), address, size) == 0, "cannot bind a listener of the world");
  if (type == SOCK_STREAM) Require(::listen(made.get(), 8) == 0, "cannot listen");
  return made;
}

bool Reached(const Descriptor& listener, bool stream) {
  char byte = 0;
  if (!stream) return ::recv(listener.get(), &byte, 1, MSG_DONTWAIT) >= 0;
  const Descriptor caller(::accept(listener.get(), nullptr, nullptr));
  return caller.get() >= 0;
}

}  // namespace

World::World() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::string name = (fs::temp_directory_path() / "warpcheck-world-XXXXXX").string();
  Require(::mkdtemp(name.data()) != nullptr, "cannot make a folder for the world");
  folder_ = name;
  // The folder is open to all users, so that access rights are not the reason why a program cannot
  // read it.
  fs::permissions(folder_, fs::perms(0755));
  home_file_ = folder_ / "home/.ssh/id";
  other_submission_ = folder_ / "class/other/transpose.cu";
  Write(home_file_, Secret("home") + "\n");
  Write(other_submission_, "// " + Secret("other") + "\n#define STOLEN 1\n");
  Write(folder_ / "results/grades.csv", "student,score\nother,100\n" + Secret("results") + "\n");
  fs::create_directories(folder_ / "workplace");
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "results")) {
    fs::permissions(entry.path(), fs::perms(0666));
  }
  ::setenv("HOME", (folder_ / "home").c_str(), 1);
  ::setenv("WARPCHECK_CACHE", (folder_ / "cache").c_str(), 1);
  ::setenv("WARPCHECK_CANARY", Secret("environment").c_str(), 1);
  stray_ = Descriptor(::open(home_file_.c_str(), O_RDWR));  // stays open in executed programs
  Listen();
  before_ = Now();
  descriptors_ = CountDescriptors();
}

World::~World() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string World::Secret(const std::string& name) {
  std::uint64_t random = 0;
  Require(::getrandom(&random, sizeof random, 0) == sizeof random, "no random numbers");
  return secrets_.emplace_back(fmt::format("warpcheck-secret-{}-{:016x}", name, random));
}

void World::Listen() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(kPorts[Own()]));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* any = reinterpret_cast<const sockaddr*>(&address);
  tcp_ = Bound(AF_INET, SOCK_STREAM, any, sizeof address);
  udp_ = Bound(AF_INET, SOCK_DGRAM, any, sizeof address);
  sockaddr_un local = {};
  local.sun_family = AF_UNIX;
  const std::string name = kLocalNames[Own()];
  name.copy(local.sun_path + 1, name.size());
  // Another part of the test may already have the name; then that part listens.
  local_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (::bind(local_.get(), reinterpret_cast<const sockaddr*>(&local),
             static_cast<socklen_t>(sizeof(sa_family_t) + 1 + name.size())) == 0) {
    Require(::listen(local_.get(), 8) == 0, "cannot listen");
  }
}

Snapshot World::Now() const {
  const fs::path course = WARPCHECK_SOURCE_DIR;
  return Take({folder_, course}, {folder_ / "cache", folder_ / "workplace", course / "build",
                                  course / ".git", course / "results"});
}

std::vector<std::string> World::Changes() {
  std::vector<std::string> changes;
  if (!NobodyIsLeft()) changes.push_back("a process was left behind");
  Snapshot now = Now();
  for (std::string& difference : Differences(before_, now)) changes.push_back(difference);
  before_ = std::move(now);
  for (std::string& path : Planted({folder_, "/dev/shm", "/var/tmp"})) changes.push_back(path);
  std::error_code ignored;
  for (const char* folder : {"/", "/tmp", "/usr", "/etc", "/dev", "/home", "/root"}) {
    const fs::path planted = fs::path(folder) / "warpcheck_planted";
    if (fs::exists(planted, ignored)) changes.push_back(planted);
  }
  const int descriptors = CountDescriptors();
  if (descriptors > descriptors_) changes.push_back("a descriptor was left open");
  descriptors_ = descriptors;
  if (Reached(tcp_, true) || Reached(udp_, false)) changes.push_back("the network was reached");
  if (Reached(local_, true)) changes.push_back("a local socket was reached");
  return changes;
}

std::vector<std::string> World::SecretsIn(const std::string& text) const {
  std::vector<std::string> found;
  for (const std::string& secret : secrets_) {
    if (text.find(secret) != std::string::npos) found.push_back(secret);
  }
  return found;
}

}  // namespace warpcheck::hostile
