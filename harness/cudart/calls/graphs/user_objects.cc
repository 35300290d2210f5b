// Implements user objects (CUDA Runtime API, "Graph Management").
#include <climits>
#include <memory>

#include "cudart/call.h"
#include "cudart/graphs/user_object.h"

namespace warpcheck::cudart {
namespace {

bool IsCount(unsigned count) { return count != 0 && count <= INT_MAX; }

// Notes if the program has given back its last reference.
void NoteReferences(Runtime& runtime, cudaUserObject_t object) {
  if (runtime.graphs.user_references().Find(object) != nullptr) return;
  runtime.misuse.GaveBack(HandleKind::kUserObject, object);
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (object == nullptr || destroy == nullptr || !IsCount(count) ||
        flags != cudaUserObjectNoDestructorSync) {
      return cudaErrorInvalidValue;
    }
    *object = runtime.graphs.CreateUserObject();
    runtime.graphs.user_references().Add(*object, std::make_shared<UserObject>(destroy, data),
                                         count);
    runtime.misuse.Made(HandleKind::kUserObject, *object);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    UserReferences& own = runtime.graphs.user_references();
    const auto found = own.Find(object);
    if (found == nullptr || !IsCount(count)) return cudaErrorInvalidValue;
    own.Add(object, found, count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    if (!IsCount(count)) return cudaErrorInvalidValue;
    if (!runtime.graphs.user_references().Remove(object, count)) return cudaErrorInvalidValue;
    NoteReferences(runtime, object);
    return cudaSuccess;
  });
  CallDestructors();
  return error;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Graph* const found = runtime.graphs.Find(graph);
    UserReferences& own = runtime.graphs.user_references();
    const auto held = own.Find(object);
    if (found == nullptr || held == nullptr || !IsCount(count) || flags > cudaGraphUserObjectMove) {
      return cudaErrorInvalidValue;
    }
    const bool moves = flags == cudaGraphUserObjectMove;
    if (moves && !own.Remove(object, count)) return cudaErrorInvalidValue;
    NoteReferences(runtime, object);
    found->objects().Add(object, held, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    Graph* const found = runtime.graphs.Find(graph);
    if (found == nullptr || !IsCount(count)) return cudaErrorInvalidValue;
    return found->objects().Remove(object, count) ? cudaSuccess : cudaErrorInvalidValue;
  });
  CallDestructors();
  return error;
}
