// The other forms of copies, fills, allocations and waits: each promises what its row says.
#include <vector>

#include "cases.h"

// A copy from host to host is done when the call returns, even an asynchronous one.
// case host_to_host: early_host_use
void HostToHost(bool wrong) {
  float *host = Pinned(), *other = Pinned(), *data = OnDevice();
  Stream stream;
  const float* const source = wrong ? data : other;
  CHECK(cudaMemcpyAsync(host, source, kBytes, cudaMemcpyDefault, stream));  // host_to_host: earlier
  USE(host[7]);  // host_to_host: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(other));
}

// cudaMemcpy to pinned memory returns when the bytes are there.
// case pinned_target: early_host_use
void PinnedTarget(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  if (wrong) {
    CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost));  // pinned_target: earlier
  } else {
    CHECK(cudaMemcpy(host, data, kBytes, cudaMemcpyDeviceToHost));
  }
  USE(host[7]);  // pinned_target: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// cudaMemset of pinned memory makes the host wait.
// case pinned_memset: early_host_use
void PinnedMemset(bool wrong) {
  float* host = Pinned();
  if (wrong) {
    CHECK(cudaMemsetAsync(host, 0, kBytes));  // pinned_memset: earlier
  } else {
    CHECK(cudaMemset(host, 0, kBytes));
  }
  USE(host[7]);  // pinned_memset: later
  Finish();
  CHECK(cudaFreeHost(host));
}

// cudaMemcpy from pageable memory waits for the earlier work of its stream; cudaMemcpyAsync does not.
// case staged_waits: early_host_use
void StagedWaits(bool wrong) {
  const std::vector<float> host(kCount);
  float *managed = Managed(), *data = OnDevice();
  Fill<<<Blocks(kCount), kBlock>>>(managed, 1, kCount);  // staged_waits: earlier
  if (wrong) {
    CHECK(cudaMemcpyAsync(data, host.data(), kBytes, cudaMemcpyHostToDevice));
  } else {
    CHECK(cudaMemcpy(data, host.data(), kBytes, cudaMemcpyHostToDevice));
  }
  USE(managed[7]);  // staged_waits: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(managed));
}

// case to_managed: early_host_use
void ToManaged(bool wrong) {
  float *managed = Managed(), *data = OnDevice();
  if (wrong) {
    CHECK(cudaMemcpyAsync(managed, data, kBytes, cudaMemcpyDefault));  // to_managed: earlier
  } else {
    CHECK(cudaMemcpy(managed, data, kBytes, cudaMemcpyDefault));
  }
  USE(managed[7]);  // to_managed: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(managed));
}

__device__ float variable[kCount];

// case to_symbol: unordered_use
void ToSymbol(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, variable));
  Stream first, second;
  CHECK(cudaMemcpyToSymbolAsync(static_cast<const void*>(variable), host, kBytes, 0, cudaMemcpyHostToDevice, first));  // to_symbol: earlier
  const cudaStream_t stream = wrong ? second : first;
  Add<<<Blocks(kCount), kBlock, 0, stream>>>(static_cast<float*>(address), data, data, kCount);  // to_symbol: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case from_symbol: early_host_use
void FromSymbol(bool wrong) {
  float* host = Pinned();
  Stream stream;
  CHECK(cudaMemcpyFromSymbolAsync(host, static_cast<const void*>(variable), kBytes, 0, cudaMemcpyDeviceToHost, stream));  // from_symbol: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(host[7]);  // from_symbol: later
  Finish();
  CHECK(cudaFreeHost(host));
}

// case peer: unordered_use
void Peer(bool wrong) {
  float *data = OnDevice(), *copy = OnDevice();
  Stream first, second;
  CHECK(cudaMemcpyPeerAsync(copy, 0, data, 0, kBytes, first));  // peer: earlier
  Scale<<<Blocks(kCount), kBlock, 0, wrong ? second : first>>>(copy, 2, kCount);  // peer: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(copy));
}

// case fill_2d: unordered_use
void Fill2D(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  CHECK(cudaMemset2DAsync(data, 256, 0, 128, 64, first));  // fill_2d: earlier
  // The other columns are free.
  CHECK(cudaMemset2DAsync(data + (wrong ? 31 : 32), 256, 0, 128, 64, second));  // fill_2d: later
  Finish();
  CHECK(cudaFree(data));
}

// case copy_3d: unordered_use
void Copy3D(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream first, second;
  cudaMemcpy3DParms box{};
  box.srcPtr = {host, 64, 64, 16};
  box.dstPtr = {data, 64, 64, 16};
  box.extent = {64, 16, 16};
  box.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3DAsync(&box, first));  // copy_3d: earlier
  Scale<<<Blocks(kCount), kBlock, 0, wrong ? second : first>>>(data, 2, kCount);  // copy_3d: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case array: unordered_use
void ArrayCopy(bool wrong) {
  float* host = Pinned(2 * kBytes);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, 64, 64));
  Stream first, second;
  CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 256, 256, 64, cudaMemcpyHostToDevice, first));  // array: earlier
  CHECK(cudaMemcpy2DFromArrayAsync(host + kCount, 256, array, 0, 0, 256, 64, cudaMemcpyDeviceToHost, wrong ? second : first));  // array: later
  Finish();
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeHost(host));
}

// case from_pool: unordered_use
void FromPool(bool wrong) {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  Stream first, second;
  float* data = nullptr;
  CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data), kBytes, pool, first));  // from_pool: earlier
  Fill<<<Blocks(kCount), kBlock, 0, wrong ? second : first>>>(data, 1, kCount);  // from_pool: later
  Finish();
  CHECK(cudaFreeAsync(data, first));
}

// A callback comes after the copy before it, and not after the copy behind it.
// case callback: early_host_use
void Callback(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  const auto look = [](cudaStream_t, cudaError_t, void* pointer) {
    USE(static_cast<const float*>(pointer)[7]);
  };
  if (wrong) CHECK(cudaStreamAddCallback(stream, look, host, 0));
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // callback: earlier
  if (!wrong) CHECK(cudaStreamAddCallback(stream, look, host, 0));
  if (wrong) USE(host[7]);  // callback: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// The default stream waits for an event of a non-blocking stream.
// case default_stream_waits: unordered_use
void DefaultStreamWaits(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream stream;
  Event done;
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // default_stream_waits: earlier
  CHECK(cudaEventRecord(done, stream));
  if (!wrong) CHECK(cudaStreamWaitEvent(cudaStreamLegacy, done));
  Add<<<Blocks(kCount), kBlock>>>(data, data, sum, kCount);  // default_stream_waits: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// An event that a query finds done.
// case event_query: early_host_use
void EventQuery(bool wrong) {
  float* data = Managed();
  Stream stream, second;
  Event done, other;
  CHECK(cudaEventRecord(other, second));
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // event_query: earlier
  CHECK(cudaEventRecord(done, stream));
  while (cudaEventQuery(wrong ? other : done) == cudaErrorNotReady) {
  }
  USE(data[7]);  // event_query: later
  Finish();
  CHECK(cudaFree(data));
}

// A prefetch moves pages and changes no bytes: nobody needs to wait for it.
// case prefetch: early_host_use
void Prefetch(bool wrong) {
  float* data = Managed();
  Stream stream;
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemAdvise(data, kBytes, cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(data, kBytes, device, 0, stream));
  USE(data[7]);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // prefetch: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(data[7]);  // prefetch: later
  Finish();
  CHECK(cudaFree(data));
}

// A prefetch to the host is no wait for the kernel before it, unless the host waits for the stream.
// case prefetch_to_host: early_host_use
void PrefetchToHost(bool wrong) {
  float* data = Managed();
  Stream stream;
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // prefetch_to_host: earlier
  CHECK(cudaMemPrefetchAsync(data, kBytes, {cudaMemLocationTypeHost, 0}, 0, stream));
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(data[7]);  // prefetch_to_host: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// Memory that is attached to a stream may be used by the host while kernels of others run.
// case attached: early_host_use
void Attached(bool wrong) {
  float *mine = Managed(), *theirs = Managed();
  Stream stream, other;
  CHECK(cudaStreamAttachMemAsync(stream, mine, 0, cudaMemAttachSingle));
  CHECK(cudaStreamAttachMemAsync(other, theirs, 0, cudaMemAttachSingle));
  CHECK(cudaStreamSynchronize(stream));
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(mine, 1, kCount);
  CHECK(cudaStreamSynchronize(stream));
  Fill<<<Blocks(kCount), kBlock, 0, other>>>(theirs, 1, kCount);  // attached: earlier
  USE(wrong ? theirs[7] : mine[7]);                               // attached: later
  Finish();
  CHECK(cudaFree(mine));
  CHECK(cudaFree(theirs));
}

int main(int argc, char** argv) {
  return RunCase({{"host_to_host", HostToHost},
                  {"pinned_target", PinnedTarget},
                  {"pinned_memset", PinnedMemset},
                  {"staged_waits", StagedWaits},
                  {"to_managed", ToManaged},
                  {"to_symbol", ToSymbol},
                  {"from_symbol", FromSymbol},
                  {"peer", Peer},
                  {"fill_2d", Fill2D},
                  {"copy_3d", Copy3D},
                  {"array", ArrayCopy},
                  {"from_pool", FromPool},
                  {"callback", Callback},
                  {"default_stream_waits", DefaultStreamWaits},
                  {"event_query", EventQuery},
                  {"prefetch", Prefetch},
                  {"prefetch_to_host", PrefetchToHost},
                  {"attached", Attached}},
                 argc, argv);
}
