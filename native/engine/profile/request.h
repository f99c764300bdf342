#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/problem.h"
#include "engine/device/kernel_calls.h"
#include "engine/model/training_ranks.h"
#include "engine/model/whole_step.h"
#include "engine/strategy/copy_key.h"

namespace offload {

/// Which variants of each strategy run.
enum class Checkpointing : std::uint8_t { on, off, both };

/// What to profile: the checked form of `ProfileRequest` in src/core/profile/request.ts. Members keep the defaults of the
/// headless interface; an absent optional means "decided when the device or the model is known".
struct ProfileRequest {
  std::string configJson;                            ///< text of config.json
  std::string device = "auto";                       ///< handed to the DeviceFactory
  std::vector<std::string> strategies;               ///< empty: `none` and `veomni_async`; `all` stands for every one
  Checkpointing gradientCheckpointing = Checkpointing::on;
  std::vector<std::uint32_t> seqLens;                ///< empty: 2048, on the CPU device 256
  std::uint32_t microBatch = 1;
  std::uint32_t packedTokens = 0;                    ///< sequences of a packed row have at most so many tokens; 0: rows are sequences
  std::optional<std::uint32_t> layers;               ///< only the first N layers of the model
  std::optional<std::vector<std::string>> patterns;  ///< absent: all decoder layers by pattern; empty list: automatic mode
  double cacheLimitGb = 4.0;                         ///< bound of the idle host pool, GiB
  /// All steps, warm-up included. Absent: 5, on a GPU more until the median is stable.
  std::optional<std::uint32_t> steps;
  std::uint64_t seed = 0;
  TrainingRanks ranks;                               ///< other than one rank only on simulated devices
  WholeStep wholeStep;                               ///< other than the stack alone only on simulated devices
  std::optional<std::string> outPath;                ///< container to write (`*.offload`)
  std::string opModel;                               ///< set of saved tensors; empty: that of the model's family
  CopyKey doubleBufferKey = CopyKey::layout;         ///< of verl_double_buffer
  bool poison = false;                               ///< overwrite memory that is free
  /// Waits to leave out of every step, by number from 1: a test of the schedules, with `poison`. Each run is then made in
  /// every order of the streams that a ReorderingDevice knows. Not part of the JSON.
  std::vector<std::uint32_t> dropWaits;
  ElementType element = ElementType::bf16;           ///< not part of the JSON: f32 serves finite differences
};

inline constexpr std::uint32_t kMaxSequenceLength = 1u << 20;
inline constexpr std::uint32_t kMaxMicroBatch = 4096;
/// Largest micro-batch * sequence length: with the largest dimensions every byte count still fits 64 bits.
inline constexpr std::uint64_t kMaxTokens = 1u << 26;
inline constexpr std::uint32_t kMaxSteps = 10000;
inline constexpr std::uint32_t kDefaultSteps = 5;
inline constexpr std::uint32_t kMaxWorldSize = 65536;
inline constexpr std::uint32_t kMaxOptimizerBytes = 64;
inline constexpr std::size_t kMaxRequestBytes = 32u << 20;

/// Reads the JSON of src/core/profile/request.ts. Unknown members, wrong types and values out of range are
/// REQUEST_INVALID; a strategy that this engine lacks is STRATEGY_UNAVAILABLE.
std::variant<ProfileRequest, Problem> parseRequest(std::string_view json);

/// The same checks for a request that was built in code (the executable's flags).
std::optional<Problem> checkRequest(const ProfileRequest& request);

}  // namespace offload
