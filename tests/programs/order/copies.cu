// Tests what copies and fills promise, by the kind of memory.
#include <vector>

#include "cases.h"

// case async_copy_then_kernel: unordered_use
void AsyncCopyThenKernel(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream first, second;
  CHECK(cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, first));  // async_copy_then_kernel: earlier
  const cudaStream_t stream = wrong ? second : first;
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);  // async_copy_then_kernel: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case kernel_then_async_copy: unordered_use
void KernelThenAsyncCopy(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream first, second;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 2, kCount);  // kernel_then_async_copy: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, second));  // kernel_then_async_copy: later
  CHECK(cudaStreamSynchronize(second));
  USE(host[0]);
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// cudaMemcpy is work of the default stream: it does not wait for a non-blocking one.
// case blocking_copy: unordered_use
void BlockingCopy(bool wrong) {
  std::vector<float> host(kCount);
  float* data = OnDevice();
  Stream stream(wrong ? cudaStreamNonBlocking : cudaStreamDefault);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);  // blocking_copy: earlier
  CHECK(cudaMemcpy(host.data(), data, kBytes, cudaMemcpyDeviceToHost));  // blocking_copy: later
  USE(host[0]);
  Finish();
  CHECK(cudaFree(data));
}

// A copy from device to device does not make the host wait.
// case device_to_device: unordered_use
void DeviceToDevice(bool wrong) {
  float *data = OnDevice(), *copy = OnDevice();
  Stream stream;
  CHECK(cudaMemcpy(copy, data, kBytes, cudaMemcpyDeviceToDevice));  // device_to_device: earlier
  if (!wrong) CHECK(cudaDeviceSynchronize());
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(copy, 2, kCount);  // device_to_device: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(copy));
}

// cudaMemset of device memory does not make the host wait.
// case memset_then_stream: unordered_use
void MemsetThenStream(bool wrong) {
  float* data = OnDevice();
  Stream stream;
  CHECK(cudaMemset(data, 0, kBytes));  // memset_then_stream: earlier
  if (!wrong) CHECK(cudaDeviceSynchronize());
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);  // memset_then_stream: later
  Finish();
  CHECK(cudaFree(data));
}

// cudaMemcpy from pageable memory returns when the bytes are staged, not when they have arrived.
// case staged_copy: unpromised_order
void StagedCopy(bool wrong) {
  const std::vector<float> host(kCount);
  float* data = OnDevice();
  Stream stream;
  CHECK(cudaMemcpy(data, host.data(), kBytes, cudaMemcpyHostToDevice));  // staged_copy: earlier
  if (!wrong) CHECK(cudaDeviceSynchronize());
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);  // staged_copy: later
  Finish();
  CHECK(cudaFree(data));
}

// cudaMemcpy from pinned memory returns when the bytes have arrived; cudaMemcpyAsync before.
// case pinned_copy: unordered_use
void PinnedCopy(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  if (wrong) {
    CHECK(cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice));  // pinned_copy: earlier
  } else {
    CHECK(cudaMemcpy(data, host, kBytes, cudaMemcpyHostToDevice));
  }
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);  // pinned_copy: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// A copy to pinned memory is the source of the next copy, in another stream.
// case through_pinned: unordered_use
void ThroughPinned(bool wrong) {
  float *host = Pinned(), *data = OnDevice(), *copy = OnDevice();
  Stream first, second;
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, first));  // through_pinned: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  CHECK(cudaMemcpyAsync(copy, host, kBytes, cudaMemcpyHostToDevice, second));  // through_pinned: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(copy));
  CHECK(cudaFreeHost(host));
}

// An asynchronous copy to pageable memory may return before the bytes are there.
// case pageable_target: unpromised_order
void PageableTarget(bool wrong) {
  std::vector<float> host(kCount);
  float *data = OnDevice(), *copy = OnDevice();
  Stream first, second;
  CHECK(cudaMemcpyAsync(host.data(), data, kBytes, cudaMemcpyDeviceToHost, first));  // pageable_target: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  CHECK(cudaMemcpyAsync(copy, host.data(), kBytes, cudaMemcpyHostToDevice, second));  // pageable_target: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(copy));
}

// Rows of a matrix, of which two streams copy overlapping columns.
// case columns: unordered_use
void Columns(bool wrong) {
  constexpr std::size_t kRow = 64 * sizeof(float);
  float *host = Pinned(), *data = OnDevice();
  Stream first, second;
  const std::size_t begin = kRow / 2 - (wrong ? sizeof(float) : 0);
  CHECK(cudaMemcpy2DAsync(data, kRow, host, kRow, kRow / 2, 64, cudaMemcpyHostToDevice, first));  // columns: earlier
  CHECK(cudaMemcpy2DAsync(data + begin / sizeof(float), kRow, host, kRow, kRow / 2, 64, cudaMemcpyHostToDevice, second));  // columns: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

int main(int argc, char** argv) {
  return RunCase({{"async_copy_then_kernel", AsyncCopyThenKernel},
                  {"kernel_then_async_copy", KernelThenAsyncCopy},
                  {"blocking_copy", BlockingCopy},
                  {"device_to_device", DeviceToDevice},
                  {"memset_then_stream", MemsetThenStream},
                  {"staged_copy", StagedCopy},
                  {"pinned_copy", PinnedCopy},
                  {"through_pinned", ThroughPinned},
                  {"pageable_target", PageableTarget},
                  {"columns", Columns}},
                 argc, argv);
}
