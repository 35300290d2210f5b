// The CUDA runtime API on top of any Device. Linking this library into a program defines the
// symbols of libcudart that nvcc's objects need; Attach says which device they use.
#pragma once

#include <string>
#include <string_view>

#include "device/device.h"

namespace warpcheck::cudart {

// Every later runtime call of this process goes to `device`, which outlives its use; state of an
// earlier device (modules, allocations, errors, streams) is dropped, and modules registered by
// loaded objects are loaded again when first needed. nullptr detaches: calls then fail as on a
// machine without a GPU: cudaErrorNoDevice.
void Attach(Device* device);

// Returns and clears the runtime's last error (cudaGetLastError), after finishing all work.
int TakeLastError();

// What dlopen's error text `reason` means for the student, where the fault is known: an object
// compiled with -rdc=true, or one that needs a function of another library. Else `reason` itself.
std::string ExplainLoadFailure(std::string_view reason);

}  // namespace warpcheck::cudart
