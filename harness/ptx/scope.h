// What a name stands for, in nested scopes: the module, a function, the blocks in it.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

enum class EntityKind : std::uint8_t {
  kRegister,   // id: RegisterId
  kRange,      // "%r<12>": id is the RegisterId of %r0; count
  kSymbol,     // id: SymbolId
  kFunction,   // id: FunctionId
  kTargets,    // id: index into Parser::branch_targets_
  kPrototype,  // id: index into Parser::signatures_
  kLabel,      // id: index of an instruction
};

struct Entity {
  EntityKind kind = EntityKind::kRegister;
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
  std::size_t depth() const { return scopes_.size(); }

  // False when the innermost scope already has the name.
  bool Declare(std::string_view name, Entity entity) {
    return scopes_.back().emplace(name, entity).second;
  }
  bool DeclareRange(std::string_view prefix, Entity range) {
    return ranges_.back().emplace(prefix, range).second;
  }

  void DeclareAtModule(std::string_view name, Entity entity) {
    scopes_.front().emplace(name, entity);
  }
  const Entity* FindAtModule(std::string_view name) const {
    const auto found = scopes_.front().find(name);
    return found == scopes_.front().end() ? nullptr : &found->second;
  }

  // Of the innermost scope that has it, or null. A register of a range comes as kRegister.
  const Entity* Find(std::string_view name);
  const Entity* FindInnermost(std::string_view name) const {
    const auto found = scopes_.back().find(name);
    return found == scopes_.back().end() ? nullptr : &found->second;
  }

 private:
  using Names = std::unordered_map<std::string_view, Entity>;

  std::vector<Names> scopes_;
  std::vector<Names> ranges_;
  Entity from_range_;
};

}  // namespace warpcheck::ptx
