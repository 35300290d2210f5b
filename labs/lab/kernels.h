// Compiles the kernels of a lab with nvcc, and keeps the result in the build cache.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/kernel_resources.h"
#include "labs/lab/lab.h"

namespace warpcheck::lab {

// A kernel of a lab as its lab.toml writes it ("copy<4>"), and the place where it does.
using KernelNames = std::map<std::string, SourceLocation>;

struct Kernels {
  std::string ptx;
  std::map<std::string, std::string> mangled;  // the mangled name of each name
  std::vector<KernelResources> resources;      // from ptxas
};

// Compiles the lab's source with an instance of each kernel. The code is the course's own, and no
// code of it runs on the host, so that no sandbox is needed. Fails if there is no nvcc, if nvcc
// fails, or if the source does not have one of the kernels.
Result<Kernels> CompileKernels(const Lab& lab, const KernelNames& names,
                               const std::filesystem::path& cache);

// Returns a kernel's name without its return type, parameters and blanks: "copy<4>" for "void
// copy<4u>(float const*)".
std::string InstanceName(std::string_view demangled);

}  // namespace warpcheck::lab
