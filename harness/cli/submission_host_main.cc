// submission_host <shared object> calls functions of a submission for the judge, which is at the
// other end of descriptor 3. It sends the CUDA runtime calls that the functions make back to the
// judge. It is untrusted: the judge believes nothing that it says. Its exit status is 0 if the
// judge has closed the connection, kConnectionLostStatus (remote/client.h) if the connection broke,
// and 2 for wrong usage.
//
// submission_host --fork-server is the first process of a jail. The programs of the jail are forked
// from it.
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "base/files.h"
#include "base/text/demangle.h"
#include "cudart/caller_memory.h"
#include "cudart/cudart.h"
#include "cudart/load_failure.h"
#include "remote/call.h"
#include "remote/client.h"
#include "remote/symbols.h"
#include "sandbox/supervisor/fork_server_process.h"
#include "sandbox/supervisor/supervisor.h"
#include "sandbox/supervisor/supervisor_protocol.h"

namespace {

using warpcheck::remote::Call;
using warpcheck::remote::CallEnd;
using warpcheck::remote::CallOutcome;
using warpcheck::remote::Client;

constexpr int kSocket = 3;

std::string Describe(const std::exception& exception) {
  return fmt::format("{}: {}", warpcheck::DemangleType(typeid(exception).name()), exception.what());
}

std::byte* AllocateHost(warpcheck::remote::HostArray::Memory memory, std::size_t bytes) {
  using warpcheck::cudart::CallerMemory;
  return warpcheck::cudart::AllocateForCaller(
      memory == warpcheck::remote::HostArray::Memory::kManaged ? CallerMemory::kManaged
                                                               : CallerMemory::kPinned,
      bytes);
}

class Host {
 public:
  Host(Client& client, std::string path) : client_(client), path_(std::move(path)) {}

  CallOutcome Handle(const Call& call) {
    if (object_ == nullptr) {
      if (CallOutcome loaded = Load(); loaded.end != CallEnd::kReturned) return loaded;
    }
    void* const function = dlsym(object_, call.function.c_str());
    if (function == nullptr)
      return {.end = CallEnd::kNoSuchFunction, .text = Missing(call.function)};
    CallOutcome outcome = Run(reinterpret_cast<void (*)()>(function), call);
    warpcheck::cudart::NoteLeftovers();
    client_.NoteHostCalls(warpcheck::cudart::TakeHostCalls());
    outcome.last_error = warpcheck::cudart::TakeLastError();
    std::fflush(nullptr);  // the judge may end this process as soon as it has the answer
    return outcome;
  }

 private:
  // Loads the submission within the first call, so that the call's time limit covers static
  // constructors.
  CallOutcome Load() {
    warpcheck::cudart::Attach(&client_);
    // Memory that nobody has written holds no zeros, whoever gives it out: the C library fills what
    // malloc() and new return with 0x7F, and what is freed with 0x80.
    warpcheck::cudart::LeaveRemains();
    mallopt(M_PERTURB, 0x80);
    warpcheck::cudart::ExplainHostFaults();
    object_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object_ != nullptr) return {.end = CallEnd::kReturned, .text = {}};
    const char* const reason = dlerror();
    return {.end = CallEnd::kLoadFailed,
            .text = warpcheck::cudart::ExplainLoadFailure(reason != nullptr ? reason : path_)};
  }

  std::string Missing(const std::string& function) const {
    const auto file = warpcheck::ReadFile(path_);
    return warpcheck::remote::DescribeMissing(
        function, warpcheck::remote::ExportedFunctions(file ? *file : std::string()));
  }

  static CallOutcome Run(void (*function)(), const Call& call) {
    try {
      auto arrays = warpcheck::remote::Invoke(function, call.arguments, &AllocateHost);
      return {.end = CallEnd::kReturned, .text = {}, .host_arrays = std::move(arrays)};
    } catch (const std::exception& exception) {
      return {.end = CallEnd::kException, .text = Describe(exception)};
    } catch (abi::__forced_unwind&) {
      throw;  // the thread ends itself
    } catch (...) {
      const std::type_info* const type = abi::__cxa_current_exception_type();
      return {.end = CallEnd::kException,
              .text = type == nullptr ? "an exception of another language"
                                      : fmt::format("an exception of type {}",
                                                    warpcheck::DemangleType(type->name()))};
    }
  }

  Client& client_;
  std::string path_;
  void* object_ = nullptr;
};

int HostMain(int argc, char** argv) {
  int type = 0;
  socklen_t bytes = sizeof type;
  if (argc != 2 || getsockopt(kSocket, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 ||
      type != SOCK_STREAM) {
    std::fputs("usage: submission_host <shared object>, with the judge's socket as descriptor 3\n",
               stderr);
    return 2;
  }
  Client client(kSocket);
  warpcheck::remote::ExplainMemoryFaults(client);
  Host host(client, argv[1]);
  client.Serve([&](const Call& call) { return host.Handle(call); });
  std::fflush(nullptr);
  _exit(0);  // skips the submission's destructors, because the judge has closed the connection
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// Turns off the search for leaks: leaks of the submission do not matter here, and the search makes
// calls that are forbidden.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

int main(int argc, char** argv) {
  namespace sandbox = warpcheck::sandbox;
  if (argc == 2 && std::string_view(argv[1]) == sandbox::kForkServerWord) {
    return sandbox::RunForkServer({.path = argv[0], .main = &HostMain});
  }
  return HostMain(argc, argv);
}
