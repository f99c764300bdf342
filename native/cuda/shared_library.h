#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace offload::cuda {

/// A library that may be loaded. Values of environment variables do not reach messages: where a path comes from one, `shown`
/// names the variable instead, e.g. "$CUDA_HOME/lib64/libcublas.so.13".
struct LibraryPath {
  std::string path;
  std::string shown;

  LibraryPath(std::string itself) : path(itself), shown(std::move(itself)) {}
  LibraryPath(const char* itself) : LibraryPath(std::string(itself)) {}
  LibraryPath(std::string where, std::string name) : path(std::move(where)), shown(std::move(name)) {}
};

/// A library that was loaded at run time, or why not.
struct LoadedLibrary {
  std::shared_ptr<void> handle;
  std::string shown;                  ///< the one that loaded, as messages name it
  std::vector<std::string> attempts;  ///< "shown (reason)" of those that did not
};

/// Loads the first of `paths` that can be. Names without a slash go through the loader's own search.
LoadedLibrary loadLibrary(const std::vector<LibraryPath>& paths);

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
