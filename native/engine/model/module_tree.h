#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace offload {

/// Index into `ModuleTree::modules`.
using ModuleId = std::size_t;

struct Module {
  std::string name;        ///< dotted, empty for the root
  std::string className;
  bool hasLength = false;  ///< a ModuleList: can be walked by `{*}`
  bool isDecoderLayer = false;
};

/// The engine's own modules in the order of `named_modules()` (depth first, the root has the empty name).
struct ModuleTree {
  std::vector<Module> modules;

  ModuleId add(Module module) {
    modules.push_back(std::move(module));
    return modules.size() - 1;
  }
};

}  // namespace offload
