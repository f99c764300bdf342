#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/problem.h"
#include "engine/model/module_tree.h"

namespace offload {

/// What `activation_offload_modules` selects: one entry per match, in order; its offload index is its place.
struct Selection {
  std::vector<ModuleId> entries;

  std::size_t depth() const { return entries.size(); }
  /// The index that a module runs with: the last one where it is listed more than once.
  std::optional<std::size_t> effectiveIndex(ModuleId module) const;
};

/// Applies the patterns as VeOmni does (facts: offload semantics, selection): group form `prefix.{*}`, glob form by
/// segments, empty list for all decoder layers. Problems: SELECTION_EMPTY (the framework's ValueError) and
/// SELECTION_TYPE_ERROR (its TypeError: `{*}` on a module without length).
std::variant<Selection, Problem> selectModules(const ModuleTree& tree, const std::vector<std::string>& patterns);

}  // namespace offload
