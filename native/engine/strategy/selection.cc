#include "engine/strategy/selection.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/base/code_points.h"
#include "engine/strategy/glob.h"

namespace offload {
namespace {

constexpr std::string_view kGroup = "{*}";

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', start)) {
    parts.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  parts.push_back(path.substr(start));
  return parts;
}

/// A pattern, ready for many names.
std::vector<Glob> globsOf(std::string_view pattern) {
  const std::vector<std::string_view> parts = segments(pattern);
  return {parts.begin(), parts.end()};
}

bool pathMatches(const std::vector<Glob>& pattern, const std::vector<std::u32string>& name) {
  return std::equal(name.begin(), name.end(), pattern.begin(), pattern.end(),
                    [](const std::u32string& part, const Glob& glob) { return glob.matches(part); });
}

/// The names of all modules, as patterns are compared with them.
std::vector<std::vector<std::u32string>> splitNames(const ModuleTree& tree) {
  std::vector<std::vector<std::u32string>> names;
  names.reserve(tree.modules.size());
  for (const Module& module : tree.modules) {
    std::vector<std::u32string>& parts = names.emplace_back();
    for (const std::string_view part : segments(module.name)) parts.push_back(codePoints(part));
  }
  return names;
}

Problem typeError(const std::string& pattern, const Module& module) {
  return {"SELECTION_TYPE_ERROR", "The pattern " + pattern + " walks a module that is no list.",
          "TypeError: object of type '" + module.className + "' has no len().",
          "Write the container of the layers in front of {*}, for example model.layers.{*}."};
}

/// Children of the module that the prefix of a group pattern names; nothing where there is no such module.
std::variant<std::vector<ModuleId>, Problem> expandGroup(const ModuleTree& tree, const std::string& pattern) {
  std::string_view prefix = std::string_view(pattern).substr(0, pattern.find(kGroup));
  while (prefix.ends_with('.')) prefix.remove_suffix(1);
  // The root has no attribute of that name: an empty prefix skips the pattern.
  if (prefix.empty()) return std::vector<ModuleId>{};

  const auto& modules = tree.modules;
  const auto parent = std::find_if(modules.begin(), modules.end(), [&](const Module& m) { return m.name == prefix; });
  if (parent == modules.end()) return std::vector<ModuleId>{};
  if (!parent->hasLength) return typeError(pattern, *parent);

  std::vector<ModuleId> children;
  const std::string start = std::string(prefix) + ".";
  for (ModuleId id = 0; id < modules.size(); ++id) {
    const std::string& name = modules[id].name;
    if (name.starts_with(start) && name.find('.', start.size()) == std::string::npos) children.push_back(id);
  }
  return children;
}

Problem emptySelection(const ModuleTree& tree) {
  const auto layer =
      std::find_if(tree.modules.begin(), tree.modules.end(), [](const Module& module) { return module.isDecoderLayer; });
  const std::string example = layer == tree.modules.end() ? "model.layers.0" : layer->name;
  return {"SELECTION_EMPTY", "activation_offload_modules selects no module.",
          "ValueError: the patterns match none of the model's modules; the first decoder layer is called " + example + ".",
          "Name the layers as the model does, or leave the list empty for the automatic mode."};
}

}  // namespace

std::optional<std::size_t> Selection::effectiveIndex(ModuleId module) const {
  for (std::size_t index = entries.size(); index-- > 0;) {
    if (entries[index] == module) return index;
  }
  return std::nullopt;
}

std::variant<Selection, Problem> selectModules(const ModuleTree& tree, const std::vector<std::string>& patterns) {
  Selection selection;
  std::vector<bool> isSelected(tree.modules.size(), false);
  const auto select = [&](ModuleId id) {
    selection.entries.push_back(id);
    isSelected[id] = true;
  };

  if (patterns.empty()) {
    for (ModuleId id = 0; id < tree.modules.size(); ++id) {
      if (tree.modules[id].isDecoderLayer) select(id);
    }
  }
  const std::vector<std::vector<std::u32string>> names = splitNames(tree);
  for (const std::string& pattern : patterns) {
    if (pattern.find(kGroup) != std::string::npos) {
      auto children = expandGroup(tree, pattern);
      if (auto* problem = std::get_if<Problem>(&children)) return *problem;
      for (const ModuleId id : std::get<std::vector<ModuleId>>(children)) select(id);
      continue;
    }
    const std::vector<Glob> globs = globsOf(pattern);
    for (ModuleId id = 0; id < tree.modules.size(); ++id) {
      if (!isSelected[id] && pathMatches(globs, names[id])) select(id);
    }
  }
  if (selection.entries.empty()) return emptySelection(tree);
  return selection;
}

}  // namespace offload
