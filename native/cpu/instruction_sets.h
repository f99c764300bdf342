#pragma once

#include <algorithm>
#include <atomic>
#include <string_view>

namespace offload {

/// What a kernel body may be compiled for. The choice is made once per process, so results have the same bits from run to
/// run on one machine; machines with different sets may differ in the last bits, since only some have fused multiply-add.
enum class InstructionSet { baseline, avx2, avx512 };

/// Upper bound for the choice. Only tests lower it, between kernels, to reach every path on one machine.
inline std::atomic<InstructionSet> instructionSetLimit{InstructionSet::avx512};

/// The widest set of this machine, at most the limit.
inline InstructionSet widestInstructionSet() {
#if defined(__x86_64__)
  static const InstructionSet widest = [] {
    const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (hasAvx2 && __builtin_cpu_supports("avx512f")) return InstructionSet::avx512;
    return hasAvx2 ? InstructionSet::avx2 : InstructionSet::baseline;
  }();
  return std::min(widest, instructionSetLimit.load(std::memory_order_relaxed));
#else
  return InstructionSet::baseline;
#endif
}

inline std::string_view nameOf(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512: return "avx512";
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::baseline: break;
  }
  return "baseline";
}

/// Body for runWidest must be `always_inline`: it is compiled anew inside each of the functions below.
#define OFFLOAD_KERNEL_BODY [[gnu::always_inline]] static inline

template <class Body, class... Args>
void runBaseline(Args... args) {
  Body::template run<4>(args...);
}

#if defined(__x86_64__)
template <class Body, class... Args>
[[gnu::target("avx2,fma")]] void runAvx2(Args... args) {
  Body::template run<8>(args...);
}

template <class Body, class... Args>
[[gnu::target("avx512f,avx2,fma,prefer-vector-width=512")]] void runAvx512(Args... args) {
  Body::template run<16>(args...);
}
#endif

/// Calls Body::run<lanes>(args...), compiled for `set`; `lanes` is the number of floats in one register.
template <class Body, class... Args>
void runWith(InstructionSet set, Args... args) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return runAvx512<Body>(args...);
  if (set == InstructionSet::avx2) return runAvx2<Body>(args...);
#endif
  (void)set;
  runBaseline<Body>(args...);
}

/// runWith for the widest set of this machine.
template <class Body, class... Args>
void runWidest(Args... args) {
  runWith<Body>(widestInstructionSet(), args...);
}

}  // namespace offload
