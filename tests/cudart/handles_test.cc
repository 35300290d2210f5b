// Whatever a call makes must be told if it is left, and every call that makes something must be
// known.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "cudart/objects.h"
#include "cudart/tables/handle_kind.h"

namespace warpcheck::cudart {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::set<std::string> Makers() {
  std::set<std::string> makers;
  for (const HandleKindFacts& facts : kHandleKinds) {
    std::istringstream words{std::string(facts.made_by)};
    for (std::string word; words >> word;) makers.insert(word);
  }
  return makers;
}

// Memory has a ledger of its own: Misuse::Allocated().
const std::set<std::string> kMemory = {
    "cudaMalloc",      "cudaMalloc3D",   "cudaMalloc3DArray",       "cudaMallocArray",
    "cudaMallocAsync", "cudaMallocHost", "cudaMallocFromPoolAsync", "cudaMallocManaged",
    "cudaMallocPitch", "cudaHostAlloc",  "cudaGraphAddMemAllocNode"};
// These make nothing that the program has to give back.
const std::set<std::string> kOthers = {
    "cudaGraphMemAllocNodeGetParams",  // a question
    "cudaGraphNodeFindInClone",        // a question
    "cudaGraphRetainUserObject",       // the graph gives it back
    "cudaDeviceEnablePeerAccess",      // there is one device
    "cudaStreamBeginCapture",          // cudaStreamEndCapture makes the graph
    "cudaStreamBeginCaptureToGraph",   // the graph is the program's already
};

// The entry points that the runtime offers, by its sources.
std::set<std::string> EntryPoints() {
  std::set<std::string> found;
  const std::regex definition(R"(cudaError_t\s+(cuda\w+)\()");
  for (const auto& file : std::filesystem::recursive_directory_iterator(WARPCHECK_CUDART_CALLS)) {
    if (file.path().extension() != ".cc") continue;
    const auto text = ReadFile(file.path());
    if (!text) continue;
    for (std::sregex_iterator one(text->begin(), text->end(), definition), end; one != end; ++one) {
      found.insert((*one)[1]);
    }
  }
  return found;
}

TEST(Handles, EveryCallThatMakesSomethingIsKnown) {
  const std::set<std::string> makers = Makers();
  const std::set<std::string> entry_points = EntryPoints();
  ASSERT_GT(entry_points.size(), 150U);
  const std::regex makes(
      "Create|Malloc|Alloc|Register|Instantiate|Clone|Retain|Begin|EndCapture|Import|Open|Load|"
      "EnablePeer");
  for (const std::string& call : entry_points) {
    if (!std::regex_search(call, makes)) continue;
    EXPECT_EQ(makers.count(call) + kMemory.count(call) + kOthers.count(call), 1U)
        << call << " makes something: add it to handle_kinds.def";
  }
  for (const std::string& call : makers) EXPECT_TRUE(entry_points.contains(call)) << call;
  for (const HandleKindFacts& facts : kHandleKinds) {
    EXPECT_TRUE(entry_points.contains(std::string(facts.given_back_by))) << facts.given_back_by;
  }
}

class HandlesTest : public RuntimeTest {
 protected:
  cudaGraph_t Graph() {
    EXPECT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
    return graph_;
  }
  template <class Handle, class Make, class GiveBack>
  void Add(const std::string& call, Make make, GiveBack give_back) {
    tests_[call] = [=](bool leaves) {
      Handle handle{};
      ASSERT_EQ(make(&handle), cudaSuccess);
      if (!leaves) {
        EXPECT_EQ(give_back(handle), cudaSuccess);
      }
    };
  }
  void AddTests();

  std::map<std::string, std::function<void(bool leaves)>> tests_;
  cudaGraph_t graph_ = nullptr;
  cudaArray_t array_ = nullptr;
};

void HandlesTest::AddTests() {
  Add<cudaStream_t>("cudaStreamCreate", cudaStreamCreate, cudaStreamDestroy);
  Add<cudaStream_t>(
      "cudaStreamCreateWithFlags",
      [](cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); },
      cudaStreamDestroy);
  Add<cudaStream_t>(
      "cudaStreamCreateWithPriority",
      [](cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); },
      cudaStreamDestroy);
  Add<cudaEvent_t>(
      "cudaEventCreate", [](cudaEvent_t* event) { return cudaEventCreate(event); },
      cudaEventDestroy);
  Add<cudaEvent_t>(
      "cudaEventCreateWithFlags",
      [](cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); },
      cudaEventDestroy);
  const auto resource = [this] {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array_;
    return what;
  };
  Add<cudaTextureObject_t>(
      "cudaCreateTextureObject",
      [=](cudaTextureObject_t* texture) {
        const cudaResourceDesc what = resource();
        const cudaTextureDesc how = {};
        return cudaCreateTextureObject(texture, &what, &how, nullptr);
      },
      cudaDestroyTextureObject);
  Add<cudaSurfaceObject_t>(
      "cudaCreateSurfaceObject",
      [=](cudaSurfaceObject_t* surface) {
        const cudaResourceDesc what = resource();
        return cudaCreateSurfaceObject(surface, &what);
      },
      cudaDestroySurfaceObject);
  Add<cudaGraph_t>(
      "cudaGraphCreate", [](cudaGraph_t* graph) { return cudaGraphCreate(graph, 0); },
      cudaGraphDestroy);
  Add<cudaGraph_t>(
      "cudaGraphClone", [this](cudaGraph_t* clone) { return cudaGraphClone(clone, graph_); },
      cudaGraphDestroy);
  Add<cudaGraph_t>(
      "cudaStreamEndCapture",
      [](cudaGraph_t* graph) {
        EXPECT_EQ(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal),
                  cudaSuccess);
        return cudaStreamEndCapture(cudaStreamPerThread, graph);
      },
      cudaGraphDestroy);
  Add<cudaGraphExec_t>(
      "cudaGraphInstantiate",
      [this](cudaGraphExec_t* exec) { return cudaGraphInstantiate(exec, graph_, 0); },
      cudaGraphExecDestroy);
  Add<cudaGraphExec_t>(
      "cudaGraphInstantiateWithFlags",
      [this](cudaGraphExec_t* exec) { return cudaGraphInstantiateWithFlags(exec, graph_, 0); },
      cudaGraphExecDestroy);
  Add<cudaGraphExec_t>(
      "cudaGraphInstantiateWithParams",
      [this](cudaGraphExec_t* exec) {
        cudaGraphInstantiateParams parameters = {};
        return cudaGraphInstantiateWithParams(exec, graph_, &parameters);
      },
      cudaGraphExecDestroy);
  Add<cudaUserObject_t>(
      "cudaUserObjectCreate",
      [](cudaUserObject_t* object) {
        return cudaUserObjectCreate(
            object, nullptr, [](void*) {}, 1, cudaUserObjectNoDestructorSync);
      },
      [](cudaUserObject_t object) { return cudaUserObjectRelease(object, 1); });
  Add<cudaMemPool_t>(
      "cudaMemPoolCreate",
      [](cudaMemPool_t* pool) {
        cudaMemPoolProps properties = {};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location = {cudaMemLocationTypeDevice, 0};
        return cudaMemPoolCreate(pool, &properties);
      },
      cudaMemPoolDestroy);
  static std::vector<std::byte> host(4096);
  Add<void*>(
      "cudaHostRegister",
      [](void** pointer) {
        *pointer = host.data();
        return cudaHostRegister(host.data(), host.size(), cudaHostRegisterDefault);
      },
      cudaHostUnregister);
}

TEST_F(HandlesTest, EachIsToldIfItIsLeft) {
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  ASSERT_EQ(cudaMallocArray(&array_, &format, 8, 8, cudaArraySurfaceLoadStore), cudaSuccess);
  Graph();
  NoteLeftovers();
  AddTests();
  for (const HandleKindFacts& facts : kHandleKinds) {
    std::istringstream words{std::string(facts.made_by)};
    for (std::string call; words >> call;) {
      if (call == "cudaUserObjectRetain") continue;  // it makes references of what there is
      SCOPED_TRACE(call);
      ASSERT_TRUE(tests_.contains(call));
      device.misuses.clear();
      tests_.at(call)(false);
      NoteLeftovers();
      EXPECT_THAT(device.misuses, IsEmpty());
      tests_.at(call)(true);
      NoteLeftovers();
      const std::string made(facts.what);
      EXPECT_THAT(device.misuses, Contains(AllOf(StartsWith("leaked_handle: "), HasSubstr(made),
                                                 HasSubstr(" of " + call))));
    }
  }
  EXPECT_EQ(cudaFreeArray(array_), cudaSuccess);
}

// Remarks that cost nothing must not keep out what costs points.
TEST_F(HandlesTest, ManyFindingsOfOneKindKeepOutNoOtherKind) {
  FindingQuota quota;
  for (std::size_t i = 0; i < 5 * kMostFindingsOfAKind; ++i) {
    const bool admitted = quota.Admits(
        {.kind = FindingKind::kUnpromisedOrder, .message = "remark " + std::to_string(i)});
    EXPECT_EQ(admitted, i < kMostFindingsOfAKind);
  }
  EXPECT_TRUE(quota.Admits({.kind = FindingKind::kUnorderedUse, .message = "a mistake"}));
  EXPECT_FALSE(quota.Admits({.kind = FindingKind::kUnorderedUse, .message = "a mistake"}));
}

}  // namespace
}  // namespace warpcheck::cudart
