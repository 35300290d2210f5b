// The CUDA runtime API on top of any Device. Linking this library into a program defines the
// symbols of libcudart that nvcc's objects need; Attach says which device they use.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "device/device.h"

namespace warpcheck::cudart {

// Every later runtime call of this process goes to `device`, which outlives its use; state of an
// earlier device (modules, allocations, errors, streams) is dropped, and modules registered by
// loaded objects are loaded again when first needed. nullptr detaches: calls then fail as on a
// machine without a GPU: cudaErrorNoDevice.
void Attach(Device* device);

// Calls `hook` whenever the program waits for the device (cudaDeviceSynchronize, cudaMemcpy, ...),
// and so sees what kernels have printed. One hook a process, set before the first runtime call.
void AtWait(std::function<void()> hook);

// For the end of a program, or of one call of a judge, before TakeLastError: tells the device's log
// of what the program left undone (launch errors that nobody asked for, copies that nobody waited
// for, memory that was never freed).
void NoteLeftovers();

// Returns and clears the runtime's last error (cudaGetLastError), after finishing all work.
int TakeLastError();

// What dlopen's error text `reason` means for the student, where the fault is known: an object
// compiled with -rdc=true, or one that needs a function of another library. Else `reason` itself.
std::string ExplainLoadFailure(std::string_view reason);

}  // namespace warpcheck::cudart
