// FakeDriver is a CUDA driver over host memory, for tests on machines without a GPU. Device
// addresses are pointers of this process, kernels are functions, and a test decides which faults
// happen.
#pragma once

#include <cuda.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct FakeKernel {
  std::string name{};
  std::string ptx = "{}";  // of its body; the fake runs `body` instead
  std::vector<std::pair<std::size_t, std::size_t>> parameters{};  // offset and bytes
  int registers = 32;
  int static_shared = 0;
  int local_bytes = 0;
  int constant_bytes = 0;
  int max_threads = 1024;
  double us = 100;  // the time that a launch takes
  // The kernel's code. Any result except CUDA_SUCCESS is a fault of the kernel, which destroys the
  // context.
  std::function<CUresult(std::span<const std::byte> parameters)> body{};

  int allowed_shared = 48 << 10;  // bytes of dynamic shared memory; cuFuncSetAttribute raises it
};

// Only one object may exist at a time: the table's functions use the one that was made last.
class FakeDriver {
 public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  static FakeDriver& Current();

  const DriverApi& api() const { return api_; }
  DriverApi& api() { return api_; }  // this allows a test to replace a function

  // The kernels of every module, and the variables that it may name.
  std::vector<std::unique_ptr<FakeKernel>> kernels;
  std::map<std::string, std::vector<std::byte>> variables;
  FakeKernel& Add(FakeKernel kernel);

  CUresult load_error = CUDA_SUCCESS;
  std::string load_log;  // the log of the compiler
  int devices = 1;
  CUresult init_error = CUDA_SUCCESS;
  CUresult context_error = CUDA_SUCCESS;
  std::map<CUdevice_attribute, int> attributes;  // the properties of an H200
  std::size_t memory_limit = std::size_t{1} << 30;
  std::size_t misalign_by = 0;  // bytes that are added to the next allocation's address
  int active_blocks = 4;

  // The events so far.
  std::set<CUdeviceptr> allocated;
  std::size_t allocated_bytes = 0;
  std::vector<std::string> loaded;  // the PTX texts that were loaded
  int contexts = 0;                 // how many contexts exist
  int modules = 0;                  // how many modules are loaded
  int events = 0;                   // how many events exist
  int streams = 0;                  // how many streams exist
  // The number of times that memory of 2 L2 sizes was filled.
  int flushes = 0;
  int large_copies = 0;                               // of 64 MiB or more, within the device
  int arrays = 0;                                     // how many arrays exist
  int array_fills = 0;                                // how often memory was copied to an array
  std::map<CUtexObject, CUDA_TEXTURE_DESC> textures;  // the textures that exist
  // The resources of textures, by handle.
  std::map<unsigned long long, CUDA_RESOURCE_DESC> resources;
  std::map<CUsurfObject, CUDA_RESOURCE_DESC> surfaces;  // the surfaces that exist
  std::vector<std::string> launches;                    // such as "scale" and "scale cooperative"
  CUresult lost = CUDA_SUCCESS;                         // the result of every call after a fault
  double clock_us = 0;

 private:
  DriverApi api_;
};

}  // namespace warpcheck::gpu
