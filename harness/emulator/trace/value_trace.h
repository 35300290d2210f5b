// ValueTrace is an observer that records how the values in global memory were made, in all launches
// of a device (value_graph.h).
//
// The basic idea: each register of each lane has the number of the node of its value. An
// instruction makes a node from those of its sources; a store gives its node to the bytes that it
// writes, and a load takes it from there. Indices need no nodes, and conditions are not followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/types.h"
#include "emulator/core/observer.h"
#include "emulator/decode/flow.h"
#include "emulator/trace/value_graph.h"

namespace warpcheck::emulator {

class ValueTrace : public Observer, private ValueTracker {
 public:
  // Keeps at most so many values. Once there are more, nothing is known.
  explicit ValueTrace(std::size_t most_values) : graph_(most_values) {}

  // The last store of a kernel to some bytes.
  struct Store {
    ValueId value = kUnknownValue;
    SourceLocation where{};
    std::string kernel;  // the mangled name
    Dim3 block{};
    Dim3 thread{};
  };
  // Returns the last store to the bytes at `address`, if a kernel wrote them and they are still
  // `now`. Returns nothing if the host may have written them since.
  std::optional<Store> LastStore(DeviceAddress address, std::span<const std::byte> now) const;
  const ValueGraph& graph() const { return graph_; }

  ValueTracker* tracker() override { return this; }
  void OnLaunchBegin(Launch& launch) override;
  void OnLaunchEnd(Launch& launch) override;
  void OnBlockBegin(Block& block) override;
  void OnAccess(const AccessEvent& event) override;

 private:
  // The nodes of a register, lane by lane.
  using Lanes = std::array<ValueId, kLanes>;
  // Bytes that one lane stored.
  struct Cell {
    ValueId value = kUnknownValue;
    std::uint32_t bytes = 0;
    std::uint64_t bits = 0;   // the bytes themselves
    bool knows_bits = false;  // false after an atomic, until the launch ends
    std::uint32_t maker = 0;  // the instruction that stored
    std::uint32_t launch = 0;
    std::uint64_t block = 0;  // its number in the grid
    std::uint32_t thread = 0;
  };
  using Cells = std::unordered_map<std::uint64_t, Cell>;  // by their first address
  struct LaunchShape {
    std::string kernel;
    Dim3 grid{};
    Dim3 block{};
  };

  void Enter(Warp& warp, LaneMask lanes) override;
  void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override;
  void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override;
  void ShuffledFromNobody(Warp& /*warp*/, const Step& /*step*/, LaneMask /*lanes*/) override {}

  // Returns the nodes of all registers of a frame, by TaintIndex.
  std::vector<Lanes>& NodesOf(const std::byte* frame);
  const Flow& FlowOf(const Program& program, std::uint32_t instruction);
  std::uint32_t MakerFor(const Warp& warp, const Step& step);
  ValueId Made(const Warp& warp, const Step& step, const Flow& flow,
               const std::vector<Lanes>& nodes, std::size_t lane);
  // Copies the nodes of the arguments of a call, or of its results.
  void CopyArguments(const Warp& warp, bool back, LaneMask lanes);
  Cells& CellsOf(const AccessEvent& event);
  // The key of a lane's address in its cells.
  static std::uint64_t KeyOf(const AccessEvent& event, std::size_t lane);
  void Load(const AccessEvent& event, Cells& cells);
  void StoreValues(const AccessEvent& event, Cells& cells);
  void Update(const AccessEvent& event, Cells& cells);
  ValueId Loaded(const AccessEvent& event, const Cells& cells, std::uint64_t key,
                 std::uint32_t bytes);
  // Returns the node of bytes of an array that no kernel has written.
  ValueId ReadOf(const AccessEvent& event, std::uint64_t address, std::uint32_t bytes);
  void Put(const AccessEvent& event, Cells& cells, std::uint64_t key, std::size_t lane, Cell cell);

  ValueGraph graph_;
  std::map<std::pair<const Program*, std::uint32_t>, std::uint32_t> makers_;  // of this launch
  std::map<const Program*, std::vector<Flow>> flows_;
  std::unordered_map<const std::byte*, std::vector<Lanes>> nodes_;  // by frame
  std::map<DeviceAddress, std::uint32_t> arrays_;                   // indices by address
  std::vector<LaunchShape> launches_;
  Cells global_;
  std::map<const Block*, Cells> shared_;
  std::map<const Warp*, Cells> local_;
};

}  // namespace warpcheck::emulator
