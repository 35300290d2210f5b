// Scopes say what a name stands for in nested scopes: the module, a function, the blocks in it.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpcheck::ptx {

enum class EntityKind : std::uint8_t {
  kNone,       // the name is not declared
  kRegister,   // id is a RegisterId
  kRange,      // for "%r<12>", id is the RegisterId of %r0, and count is 12
  kSymbol,     // id is a SymbolId
  kFunction,   // id is a FunctionId
  kTargets,    // id is an index into ModuleBuilder::branch_targets_
  kPrototype,  // id is an index into ModuleBuilder::signatures_
  kLabel,      // id is the index of an instruction
};

struct Entity {
  EntityKind kind = EntityKind::kNone;
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};

class Scopes {
 public:
  Scopes() { Push(); }

  void Push() {
    scopes_.emplace_back();
    ranges_.emplace_back();
  }
  void Pop() {
    scopes_.pop_back();
    ranges_.pop_back();
  }

  // Returns false if the innermost scope already has the name.
  bool Declare(std::string_view name, Entity entity) {
    return scopes_.back().emplace(name, entity).second;
  }
  bool DeclareRange(std::string_view prefix, Entity range) {
    return ranges_.back().emplace(prefix, range).second;
  }

  void DeclareAtModule(std::string_view name, Entity entity) {
    scopes_.front().emplace(name, entity);
  }
  Entity FindAtModule(std::string_view name) const { return In(scopes_.front(), name); }
  Entity FindInnermost(std::string_view name) const { return In(scopes_.back(), name); }
  // Searches all scopes, the innermost first. A register of a range is returned as a kRegister.
  Entity Find(std::string_view name) const;

 private:
  using Names = std::unordered_map<std::string_view, Entity>;

  static Entity In(const Names& names, std::string_view name) {
    const auto found = names.find(name);
    return found == names.end() ? Entity{} : found->second;
  }

  std::vector<Names> scopes_;
  std::vector<Names> ranges_;
};

}  // namespace warpcheck::ptx
