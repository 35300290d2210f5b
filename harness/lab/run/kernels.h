// Compiles the kernels of a lab with nvcc, and keeps the result in the build cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/kernel_resources.h"
#include "lab/lab.h"

namespace warpcheck::lab {

// The kernels that a lab needs.
struct KernelNames {
  // A kernel as lab.toml writes it ("copy<4>"), and the place where it does.
  std::map<std::string, SourceLocation> places;
  std::set<std::uint32_t> register_limits;  // 0 stands for no limit
};

// The kernels with one limit of registers.
struct LimitedCode {
  std::string ptx;
  std::vector<KernelResources> resources;  // from ptxas
};

// A parameter of a kernel.
struct Parameter {
  std::uint64_t bytes = 0;
  bool is_float = false;  // a float or a double; otherwise a whole number, a pointer or a struct
};

struct Kernels {
  std::map<std::uint32_t, LimitedCode> code;                 // by the limit of registers
  std::map<std::string, std::string> mangled;                // the mangled name of each name
  std::map<std::string, std::vector<Parameter>> parameters;  // of each name
};

// Compiles the lab's source with an instance of each kernel. The code is the course's own, and no
// code of it runs on the host, so that no sandbox is needed. Fails if there is no nvcc, if nvcc
// fails, or if the source does not have one of the kernels. The build cache is `folder`.
Result<Kernels> CompileKernels(const Lab& lab, const KernelNames& names,
                               const std::filesystem::path& folder);

// Returns a kernel's name without its return type, parameters and blanks: "copy<4>" for "void
// copy<4u>(float const*)".
std::string InstanceName(std::string_view demangled);

}  // namespace warpcheck::lab
