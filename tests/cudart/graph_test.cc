// Tests graphs that a program builds by itself: their nodes, edges, launches and updates.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cudart/objects.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class GraphTest : public RuntimeTest {
 protected:
  GraphTest() {
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    data = static_cast<int*>(memory);
    EXPECT_EQ(cudaMemset(data, 0, 64), cudaSuccess);
  }

  struct Kernel {
    Kernel(const void* function, int* to, int with) : data(to), value(with) {
      parameters.func = const_cast<void*>(function);
      parameters.gridDim = dim3(2);
      parameters.blockDim = dim3(3);
      parameters.kernelParams = pointers.data();
    }
    Kernel(const Kernel&) = delete;
    int* data;
    int value;
    std::array<void*, 2> pointers{&data, &value};
    cudaKernelNodeParams parameters{};
  };

  cudaGraphNode_t AddKernel(int value, const std::vector<cudaGraphNode_t>& after = {}) {
    const Kernel kernel(set, data, value);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &kernel.parameters),
              cudaSuccess);
    return node;
  }
  cudaGraphExec_t Instantiate() {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    return exec;
  }
  // Returns the second argument of each launch, and forgets the launches.
  std::vector<int> TakeValues() {
    std::vector<int> values;
    for (const LaunchRequest& request : device.launches) {
      int value = 0;
      std::memcpy(&value, request.parameters.data() + 8, sizeof(value));
      values.push_back(value);
    }
    device.launches.clear();
    return values;
  }

  Object object{"graphs"};
  const void* set = object.Call<const void*>("set_stub");
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;
  int* data = nullptr;
};

TEST_F(GraphTest, NodesRunInTheOrderOfTheirEdges) {
  const cudaGraphNode_t last = AddKernel(3);
  const cudaGraphNode_t middle = AddKernel(2);
  const cudaGraphNode_t first = AddKernel(1);
  const std::array from{first, middle};
  const std::array to{middle, last};
  EXPECT_EQ(cudaGraphAddDependencies(graph, from.data(), to.data(), nullptr, 2), cudaSuccess);
  const cudaGraphExec_t exec = Instantiate();
  EXPECT_THAT(TakeValues(), IsEmpty()) << "nothing runs before the launch";
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2, 3));
  EXPECT_EQ(cudaGraphLaunch(exec, cudaStreamPerThread), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2, 3));
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
}

TEST_F(GraphTest, ACycleCannotBeInstantiated) {
  const cudaGraphNode_t first = AddKernel(1);
  const cudaGraphNode_t second = AddKernel(2, {first});
  EXPECT_EQ(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  cudaGraphInstantiateParams parameters{};
  EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateInvalidStructure);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &second, &first, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateSuccess);
}

TEST_F(GraphTest, WrongEdgesAndHandlesAreRefused) {
  const cudaGraphNode_t first = AddKernel(1);
  const cudaGraphNode_t second = AddKernel(2, {first});
  cudaGraph_t other = nullptr;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, other, &first, 1), cudaErrorInvalidValue);
  const std::array twice{first, first};
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, twice.data(), 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1), cudaErrorInvalidValue)
      << "there is that edge";
  EXPECT_EQ(cudaGraphAddDependencies(graph, &first, &first, nullptr, 1), cudaErrorInvalidValue);
  const cudaGraphNode_t third = AddKernel(3);
  const std::array from{first, first};
  const std::array to{third, second};
  std::size_t count = 9;
  EXPECT_EQ(cudaGraphAddDependencies(graph, from.data(), to.data(), nullptr, 2),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphNodeGetDependencies(third, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0) << "the call has added neither of its two edges";
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &second, &first, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(other), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, other, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(
      cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, data + 1, 0, cudaMemcpyDefault),
      cudaErrorInvalidValue)
      << "a node without bytes";
}

TEST_F(GraphTest, ProgramsMayAskForNodesAndEdges) {
  const cudaGraphNode_t first = AddKernel(1);
  const cudaGraphNode_t left = AddKernel(2, {first});
  const cudaGraphNode_t right = AddKernel(3, {first});
  const cudaGraphNode_t last = AddKernel(4, {left, right});
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 4);
  std::vector<cudaGraphNode_t> nodes(6);
  count = 6;
  EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
  EXPECT_EQ(count, 4);
  EXPECT_THAT(nodes, UnorderedElementsAre(first, left, right, last, nullptr, nullptr));
  EXPECT_EQ(cudaGraphGetRootNodes(graph, nodes.data(), &count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(nodes[0], first);
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 4);
  std::vector<cudaGraphNode_t> from(4);
  std::vector<cudaGraphNode_t> to(4);
  EXPECT_EQ(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count), cudaSuccess);
  EXPECT_THAT(from, ElementsAre(first, first, left, right));
  EXPECT_THAT(to, ElementsAre(left, right, last, last));
  count = 1;
  EXPECT_EQ(cudaGraphNodeGetDependencies(last, from.data(), nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1) << "there is room for one of the two";
  EXPECT_EQ(from[0], left);
  EXPECT_EQ(cudaGraphNodeGetDependentNodes(first, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaGraphDestroyNode(left), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetDependencies(last, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(last, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  EXPECT_EQ(cudaGraphNodeGetType(left, &type), cudaErrorInvalidValue);
}

TEST_F(GraphTest, ArgumentsAreThoseOfTheCallThatMadeTheNode) {
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams got{};
  {
    Kernel kernel(set, data, 7);
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel.parameters), cudaSuccess);
    kernel.value = 8;
  }
  const cudaGraphExec_t exec = Instantiate();
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(7));
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &got), cudaSuccess);
  EXPECT_EQ(got.gridDim.x, 2);
  EXPECT_EQ(*static_cast<int*>(got.kernelParams[1]), 7);
  *static_cast<int*>(got.kernelParams[1]) = 9;
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &got), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(7)) << "the executable graph is a copy";
  const Kernel kernel(set, data, 10);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &kernel.parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(10, 9));
}

TEST_F(GraphTest, ArgumentsMayLieInOneBuffer) {
  struct {
    int* data;
    int value;
  } block{data, 12};
  std::size_t bytes = 12;
  // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE and CU_LAUNCH_PARAM_END
  std::array<void*, 5> extra{reinterpret_cast<void*>(1), &block, reinterpret_cast<void*>(2), &bytes,
                             nullptr};
  Kernel kernel(set, data, 1);
  cudaGraphNode_t node = nullptr;
  kernel.parameters.extra = extra.data();
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel.parameters),
            cudaErrorInvalidValue)
      << "both forms";
  kernel.parameters.kernelParams = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel.parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(12));
}

TEST_F(GraphTest, CopiesAndFills) {
  std::array<int, 4> host{1, 2, 3, 4};
  cudaGraphNode_t copy = nullptr;
  cudaGraphNode_t fill = nullptr;
  cudaGraphNode_t back = nullptr;
  cudaMemsetParams two{
      .dst = data + 1, .pitch = 0, .value = 0x01020304, .elementSize = 4, .width = 2, .height = 1};
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, data, host.data(), 16,
                                     cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph, &copy, 1, &two), cudaSuccess);
  std::array<int, 4> result{};
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = {.ptr = data, .pitch = 16, .xsize = 16, .ysize = 1};
  parameters.dstPtr = {.ptr = result.data(), .pitch = 16, .xsize = 16, .ysize = 1};
  parameters.extent = {.width = 16, .height = 1, .depth = 1};
  parameters.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaGraphAddMemcpyNode(&back, graph, &fill, 1, &parameters), cudaSuccess);
  const cudaGraphExec_t exec = Instantiate();
  host[3] = 5;  // a copy reads its source when it runs
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(result, ElementsAre(1, 0x01020304, 0x01020304, 5));
  two.value = 0;
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, fill, &two), cudaSuccess);
  EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, data, host.data() + 1, 12,
                                               cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(result, ElementsAre(2, 0, 0, 5));
  two.elementSize = 3;
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(fill, &two), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(copy, &two), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(copy, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.dstPtr.ptr, data);
  EXPECT_EQ(parameters.extent.width, 16);
}

TEST_F(GraphTest, SymbolsAreCopied) {
  const void* const table = object.Call<const void*>("table_symbol");
  const std::array<int, 2> values{5, 6};
  int result = 0;
  cudaGraphNode_t to = nullptr;
  cudaGraphNode_t from = nullptr;
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, table, values.data(), 8, 4,
                                           cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, &result, table, 4, 8,
                                             cudaMemcpyDeviceToHost),
            cudaSuccess);
  const cudaGraphExec_t exec = Instantiate();
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(result, 6);
  EXPECT_EQ(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, &result, table, 4, 4,
                                                       cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(result, 5);
}

TEST_F(GraphTest, HostFunctionsRunBetweenOtherNodesAndMayUseTheApi) {
  struct Seen {
    const std::vector<LaunchRequest>* launches;
    std::vector<std::size_t> counts;
  } seen{&device.launches, {}};
  cudaHostNodeParams host{};
  host.fn = [](void* argument) {
    auto& here = *static_cast<Seen*>(argument);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    here.counts.push_back(here.launches->size());
  };
  host.userData = &seen;
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t first = AddKernel(1);
  EXPECT_EQ(cudaGraphAddHostNode(&node, graph, &first, 1, &host), cudaSuccess);
  AddKernel(2, {node});
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_THAT(seen.counts, ElementsAre(1));
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2));
}

TEST_F(GraphTest, AChildGraphRunsInPlaceOfItsNode) {
  AddKernel(2);
  cudaGraph_t inner = graph;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  const cudaGraphNode_t first = AddKernel(1);
  cudaGraphNode_t child = nullptr;
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, graph, &first, 1, inner), cudaSuccess);
  AddKernel(3, {child});
  EXPECT_EQ(cudaGraphDestroy(inner), cudaSuccess);
  EXPECT_EQ(cudaGraphChildGraphNodeGetGraph(child, &inner), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaErrorInvalidValue) << "its node owns it";
  const cudaGraphExec_t exec = Instantiate();
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2, 3));
  std::size_t count = 1;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphGetNodes(inner, &node, &count), cudaSuccess);
  const Kernel other(set, data, 20);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &other.parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 20, 3));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphGetNodes(inner, nullptr, &count), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess) << "an executable graph stands alone";
}

TEST_F(GraphTest, ACloneHasNodesOfItsOwn) {
  const cudaGraphNode_t first = AddKernel(1);
  AddKernel(2, {first});
  const cudaGraph_t original = graph;
  ASSERT_EQ(cudaGraphClone(&graph, original), cudaSuccess);
  cudaGraphNode_t copy = nullptr;
  EXPECT_EQ(cudaGraphNodeFindInClone(&copy, first, graph), cudaSuccess);
  EXPECT_NE(copy, first);
  EXPECT_EQ(cudaGraphNodeFindInClone(&copy, first, original), cudaErrorInvalidValue);
  const Kernel other(set, data, 5);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(copy, &other.parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(original), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(5, 2));
}

TEST_F(GraphTest, AnUpdateTakesTheParametersOfAGraphOfTheSameForm) {
  const cudaGraphNode_t first = AddKernel(1);
  AddKernel(2, {first});
  const cudaGraphExec_t exec = Instantiate();
  cudaGraphExecUpdateResultInfo info{};
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  const cudaGraphNode_t next = AddKernel(3);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  const cudaGraphNode_t loose = AddKernel(4);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.errorNode, loose) << "it lacks an edge";
  EXPECT_EQ(cudaGraphAddDependencies(graph, &next, &loose, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(3, 4));
  EXPECT_EQ(cudaGraphDestroyNode(loose), cudaSuccess);
  cudaGraphNode_t empty = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, graph, &next, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(info.errorNode, empty);
}

// The first node of the program runs last.
TEST_F(GraphTest, AnUpdateTakesTheGraphThatItCameFrom) {
  const cudaGraphNode_t last = AddKernel(3);
  const cudaGraphNode_t middle = AddKernel(2);
  const cudaGraphNode_t first = AddKernel(1);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &first, &middle, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &middle, &last, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &first, &last, nullptr, 1), cudaSuccess);
  const cudaGraphExec_t exec = Instantiate();
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2, 3));
  // Without one of the edges the form is another one.
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &first, &middle, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.errorNode, middle);
}

TEST_F(GraphTest, ANodeMayBeDisabled) {
  const cudaGraphNode_t first = AddKernel(1);
  AddKernel(2, {first});
  const cudaGraphExec_t exec = Instantiate();
  unsigned enabled = 7;
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, first, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetEnabled(exec, first, &enabled), cudaSuccess);
  EXPECT_EQ(enabled, 0);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(2));
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, first, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(1, 2));
}

TEST_F(GraphTest, OneCallAddsAnyNode) {
  Kernel kernel(set, data, 4);
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = const_cast<void*>(set);
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = kernel.pointers.data();
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t conditional = nullptr;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters), cudaSuccess);
  const cudaGraphExec_t exec = Instantiate();
  kernel.value = 5;
  EXPECT_EQ(cudaGraphExecNodeSetParams(exec, node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_THAT(TakeValues(), ElementsAre(5));
  parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  EXPECT_EQ(cudaGraphAddNode(&conditional, graph, nullptr, nullptr, 0, &parameters),
            cudaErrorNotSupported);
  EXPECT_THAT(device.unsupported, ElementsAre("a conditional graph node"));
}

TEST_F(GraphTest, AttributesOfKernels) {
  const cudaGraphNode_t node = AddKernel(1);
  const cudaGraphNode_t other = AddKernel(2, {node});
  cudaLaunchAttributeValue value{};
  value.cooperative = 1;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value),
            cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(other, node), cudaSuccess);
  value = {};
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributeCooperative, &value),
            cudaSuccess);
  EXPECT_EQ(value.cooperative, 1);
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_TRUE(device.launches.at(0).cooperative);
}

TEST_F(GraphTest, MemoryIsAllocatedAndFreedByLaunches) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {.type = cudaMemLocationTypeDevice, .id = 0};
  parameters.bytesize = 16;
  cudaGraphNode_t allocate = nullptr;
  cudaGraphNode_t fill = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters), cudaSuccess);
  const cudaMemsetParams one{
      .dst = parameters.dptr, .pitch = 0, .value = 1, .elementSize = 1, .width = 16, .height = 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &one), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(fill), cudaErrorNotSupported);
  const cudaGraphExec_t exec = Instantiate();
  cudaGraphExec_t second = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&second, graph, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaFree(parameters.dptr), cudaErrorInvalidValue) << "no launch has allocated it";
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue) << "it was not freed";
  std::uint64_t used = 0;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 16);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, parameters.dptr, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 0x01010101);
  EXPECT_EQ(cudaFreeAsync(parameters.dptr, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 0);
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used), cudaSuccess);
  EXPECT_EQ(used, 16);
  used = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used), cudaSuccess);
  EXPECT_EQ(used, 0);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  const std::uint64_t with_graph = device.Allocated();
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(device.Allocated(), with_graph) << "the program still uses it";
  EXPECT_EQ(cudaFree(parameters.dptr), cudaSuccess);
  EXPECT_EQ(device.Allocated(), with_graph - 16);
}

TEST_F(GraphTest, MemoryThatAGraphFreesByItself) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {.type = cudaMemLocationTypeDevice, .id = 0};
  parameters.bytesize = 16;
  cudaGraphNode_t allocate = nullptr;
  cudaGraphNode_t release = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &allocate, 1, data), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &allocate, 1, parameters.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &allocate, 1, parameters.dptr),
            cudaErrorInvalidValue)
      << "twice";
  const cudaGraphExec_t exec = Instantiate();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(GraphTest, AnEventNodeRecordsItsEvent) {
  cudaEvent_t event = nullptr;
  cudaEvent_t got = nullptr;
  cudaGraphNode_t node = nullptr;
  float milliseconds = -1;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event), cudaSuccess);
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(node, &got), cudaSuccess);
  EXPECT_EQ(got, event);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGraphLaunch(Instantiate(), nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
}

TEST_F(GraphTest, GraphsKeepUserObjectsAlive) {
  int destroyed = 0;
  const auto destroy = [](void* count) { ++*static_cast<int*>(count); };
  cudaUserObject_t user = nullptr;
  EXPECT_EQ(cudaUserObjectCreate(&user, &destroyed, destroy, 0, cudaUserObjectNoDestructorSync),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectCreate(&user, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  EXPECT_EQ(cudaUserObjectRetain(user, 1), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(user, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph, user, 1, cudaGraphUserObjectMove), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(user, 1), cudaErrorInvalidValue) << "the graph has it";
  const cudaGraphExec_t exec = Instantiate();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaUserObjectCreate(&user, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph, user, 2, 0), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(user, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, user, 3), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, user, 2), cudaSuccess);
  EXPECT_EQ(destroyed, 2);
  ASSERT_EQ(cudaUserObjectCreate(&user, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  Attach(&device);
  EXPECT_EQ(cudaUserObjectRelease(user, 1), cudaErrorInvalidValue);
  EXPECT_EQ(destroyed, 2) << "the next program does not know the function";
}

TEST_F(GraphTest, AFaultEndsTheLaunch) {
  AddKernel(2, {AddKernel(1)});
  const cudaGraphExec_t exec = Instantiate();
  device.on_launch = [](const LaunchRequest&) { return DeviceError::kIllegalAddress; };
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess) << "a later call reports it";
  EXPECT_EQ(device.launches.size(), 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST_F(GraphTest, ADrawingNamesKernelsAndEdges) {
  AddKernel(2, {AddKernel(1)});
  const std::string path = testing::TempDir() + "/graph.dot";
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), 0), cudaSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("digraph"));
  EXPECT_THAT(text.str(), HasSubstr("label=\"set(int*, int)\""));
  EXPECT_THAT(text.str(), HasSubstr(" -> "));
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace warpcheck::cudart
