#pragma once

#include <memory>
#include <string>
#include <vector>

namespace offload::cuda {

/// A library that was loaded at run time, or why not.
struct LoadedLibrary {
  std::shared_ptr<void> handle;
  std::string path;                   ///< the one that loaded
  std::vector<std::string> attempts;  ///< "path (reason)" of those that did not
};

/// Loads the first of `paths` that can be. Names without a slash go through the loader's own search.
LoadedLibrary loadLibrary(const std::vector<std::string>& paths);

/// The value of an environment variable, empty where it is unset.
std::string environmentValue(const char* name);

/// Null where the library has no such symbol.
void* findSymbol(const std::shared_ptr<void>& library, const char* name);

/// Points `entry` at a function of the library; false where it lacks it.
template <class Entry>
bool bindSymbol(const std::shared_ptr<void>& library, const char* name, Entry& entry) {
  entry = reinterpret_cast<Entry>(findSymbol(library, name));
  return entry != nullptr;
}

/// "a; b; c".
std::string joined(const std::vector<std::string>& texts);

}  // namespace offload::cuda
