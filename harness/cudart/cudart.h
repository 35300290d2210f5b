// Offers the CUDA runtime API on top of any Device. Linking this library into a program defines the
// symbols of libcudart that nvcc's objects need; Attach() says which device they use.
//
// A call hands its request to the device at once, and the device finishes it before the call
// returns. So the device always works in the order of the program's calls, which is one of the
// schedules that CUDA allows. The only problem is that the host could see results too early: CUDA
// promises what an asynchronous copy, an asynchronous fill or a kernel writes to memory that the
// host shares only after the program has waited for it. Therefore the runtime works at once, puts
// the old bytes back (order/late_writes.h), and writes the new ones when the program waits, or
// before later work uses them.
//
// A call that gives work to a captured stream adds a node to a graph instead (stream_capture.h).
// The launch of a graph hands its nodes to the device one after the other, in an order that its
// edges allow (calls/graphs/).
//
// The files of calls/ define the entry points; each file has a chapter of CUDA's manual. They run
// under one mutex (call.h) on the state of the process (runtime.h): tables of memory, streams,
// arrays and loaded objects.
#pragma once

#include <functional>

#include "base/source_location.h"
#include "cudart/misuse.h"
#include "cudart/order/copies_back.h"
#include "device/device.h"
#include "order/host_call.h"

namespace warpcheck::cudart {

// Sends every later runtime call of this process to `device`, which must exist as long as it is
// used. Drops the state of an earlier device (modules, allocations, errors, streams). Modules of
// loaded objects are loaded again when first needed. nullptr detaches the device: calls then fail
// with cudaErrorNoDevice, as on a machine without a GPU. With `watch_order`, the runtime looks for
// accesses of operations and of the host that nothing orders (docs/order.md).
void Attach(Device* device, bool watch_order = true);

// Lets pinned and managed memory begin with arbitrary bytes from now on, and not with zeros: CUDA
// promises none. So a program that relies on zeros there gets wrong results.
void LeaveRemains();

// Reports from now on, before the process ends, when the program's own code uses memory of the
// device, which ends it with a segmentation fault. A process calls this once.
void ExplainHostFaults();

// Calls `hook` whenever the program waits for the device (cudaDeviceSynchronize, cudaMemcpy, ...),
// for example to print what kernels have printed. A process has one hook, set before the first
// runtime call.
void AtWait(std::function<void()> hook);

// Calls `hook` at the first call of the runtime in this process, and at each call that returns an
// error of its own. A process has one of each, set before the first call.
void AtFirstCall(std::function<void()> hook);
void AtRefusal(std::function<void(const RefusedCall&)> hook);

// Calls `hook` when the program copies memory of the device to the host that is not all the work of
// launches. A process has one, set after Attach(); until then nothing is kept about writes.
void AtCopyBack(std::function<void(const CopiedBack&)> hook);

// Returns the line of the program's call that is running on this thread.
SourceLocation LineOfCall();

// Call this at the end of a program, or of one call of a judge, before TakeLastError(). It reports
// to the device what the program did not finish: launch errors that it did not ask for, copies that
// it did not wait for, and memory that it did not free.
void NoteLeftovers();

// Returns the record of the runtime calls that the program has made since the last time.
HostCalls TakeHostCalls();

// Finishes all work, then returns and clears the runtime's last error (cudaGetLastError).
int TakeLastError();

}  // namespace warpcheck::cudart
