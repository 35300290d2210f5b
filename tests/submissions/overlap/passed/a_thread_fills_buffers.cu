// score: 100
// A second thread of the host copies to pinned memory, piece after piece, and counts the pieces
// that are there; the first thread issues copies and kernels when their piece is there. Nothing in
// pinned memory is filled twice, so that no event is needed.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "overlap.h"

static const int PIECES = 10;

__global__ void add_neighbours(const float *in, float *out, int first, int last, int n)
{
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x)
    {
        float left = in[i > 0 ? i - 1 : 0];
        float right = in[i < n - 1 ? i + 1 : n - 1];
        out[i] = left + 2 * in[i] + right;
    }
}

void smooth(const float *in, float *out, int n)
{
    float *pinned, *device;
    cudaHostAlloc(&pinned, n * sizeof(float), cudaHostAllocPortable);
    cudaMalloc(&device, n * sizeof(float));
    const int length = (n + PIECES - 1) / PIECES;

    std::atomic<int> ready(0);
    std::thread filler([&] {
        for (int piece = 0; piece < PIECES; ++piece)
        {
            int begin = std::min(n, piece * length), end = std::min(n, begin + length);
            std::memcpy(pinned + begin, in + begin, (end - begin) * sizeof(float));
            ready.store(piece + 1, std::memory_order_release);
            ready.notify_one();
        }
    });

    // One stream copies, and two compute in turns.
    cudaStream_t copies, kernels[2];
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels[0]);
    cudaStreamCreate(&kernels[1]);
    cudaEvent_t copied[PIECES];
    for (int piece = 0; piece < PIECES; ++piece)
    {
        for (int seen = ready.load(std::memory_order_acquire); seen <= piece; seen = ready.load(std::memory_order_acquire))
            ready.wait(seen);
        int begin = std::min(n, piece * length), end = std::min(n, begin + length);
        cudaEventCreateWithFlags(&copied[piece], cudaEventDisableTiming);
        if (begin < end)
            cudaMemcpyAsync(device + begin, pinned + begin, (end - begin) * sizeof(float), cudaMemcpyHostToDevice, copies);
        cudaEventRecord(copied[piece], copies);
        // All numbers that the piece before needs are there now.
        int first = piece == 0 ? 0 : std::min(n, (piece - 1) * length);
        int last = piece == 0 ? 0 : std::min(n, first + length);
        if (first < last)
        {
            cudaStreamWaitEvent(kernels[piece % 2], copied[piece], 0);
            add_neighbours<<<8, 256, 0, kernels[piece % 2]>>>(device, out, first, last, n);
        }
    }
    int first = std::min(n, (PIECES - 1) * length);
    if (first < n)
    {
        cudaStreamWaitEvent(kernels[0], copied[PIECES - 1], 0);
        add_neighbours<<<8, 256, 0, kernels[0]>>>(device, out, first, n, n);
    }
    filler.join();
    for (cudaStream_t stream : {copies, kernels[0], kernels[1]})
    {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    for (cudaEvent_t event : copied)
        cudaEventDestroy(event);
    cudaFree(device);
    cudaFreeHost(pinned);
}
