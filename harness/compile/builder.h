// Builder compiles a submission's .cu files to a shared object that contains their PTX. nvcc runs
// in the sandbox; a cache keeps finished compilations, by their content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "compile/outcome.h"
#include "compile/source/request.h"
#include "sandbox/sandbox.h"

namespace warpcheck::compile {

class Cache;
struct Job;

// Returns a text that differs between toolkits: the real path, size and time of nvcc. It does not
// start nvcc. Fails if there is no such file.
Result<std::string> Fingerprint(const std::filesystem::path& nvcc);

// Returns the limits: 45 s of processor time, 4 GiB of memory and 256 MB a file. A file of an
// exercise takes 2 to 3 s to compile; a file that includes CUB takes 10 s.
sandbox::Limits CompileLimits();

class Builder {
 public:
  struct Settings {
    std::filesystem::path nvcc;
    std::filesystem::path cache;  // a folder, which is made if it is missing
    // If the cache is larger, the entries that were unused for longest are removed first.
    std::uint64_t cache_bytes = std::uint64_t{1} << 30;
    sandbox::Limits limits = CompileLimits();
    // After a compile error, compiles a program that is known to be right. If that fails too, nvcc
    // is broken or has no space to write: Build() then returns a failure of the machine, and the
    // cache stores nothing.
    bool doubts_nvcc = false;
  };
  Builder(sandbox::Sandbox& sandbox, Settings settings);

  // Returns an Outcome if nvcc judged the code, if the code met a limit, or if the compiler crashed
  // on it twice. Returns a Failure otherwise; the cache then stores nothing.
  tl::expected<Outcome, Failure> Build(const Request& request);

 private:
  struct Compiled;
  tl::expected<Outcome, Failure> FindOrCompile(Job job);
  tl::expected<Compiled, Failure> CompileSurely(const Cache& cache, const Job& job);
  Result<Compiled> Compile(const Cache& cache, const Job& job);
  Result<> TryNvcc(const Cache& cache, const Job& job);

  sandbox::Sandbox& sandbox_;
  Settings settings_;
};

}  // namespace warpcheck::compile
