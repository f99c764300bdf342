#pragma once

#include <string>

#include "engine/base/problem.h"
#include "engine/profile/profile.h"

namespace offload {

/// `{"problem":{"code":…,"message":…,"cause":…,"nextStep":…}}`; an empty cause is left out. Text that is not UTF-8 is repaired.
std::string problemJson(const Problem& problem);

/// `{"problem":{…},"resultJson":"…"}`: the result of a profile that could not be saved, as one text in the other.
std::string unsavedJson(const Problem& problem, const std::string& resultJson);

/// `ProfileProgress` of src/core/profile/request.ts.
std::string progressJson(const Progress& progress);

}  // namespace offload
