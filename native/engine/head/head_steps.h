#pragma once

#include <utility>

#include "engine/head/head_form.h"

namespace offload::head_steps {

/*
 * The words in which head_forms.cc describes heads.
 */

inline HeadStep make(std::string_view name, std::uint8_t bytes, Extent extent = Extent::rowsVocab,
                     MemoryPart part = MemoryPart::headTemporaries) {
  HeadStep step;
  step.kind = HeadStep::Kind::make;
  step.name = name;
  step.bytes = bytes;
  step.extent = extent;
  step.part = part;
  return step;
}

inline HeadStep named(HeadStep::Kind kind, std::string_view name) {
  HeadStep step;
  step.kind = kind;
  step.name = name;
  return step;
}
inline HeadStep drop(std::string_view name) { return named(HeadStep::Kind::drop, name); }
inline HeadStep dropFirst(std::string_view name) { return named(HeadStep::Kind::dropFirst, name); }
inline HeadStep keepLast(std::string_view name) { return named(HeadStep::Kind::keepLast, name); }
inline HeadStep save(std::string_view name) { return named(HeadStep::Kind::save, name); }
/// Two nodes save the same tensor: hooks see it twice.
inline HeadStep saveTwice(std::string_view name) {
  HeadStep step = save(name);
  step.launches = 2;
  return step;
}
inline HeadStep sync() { return {}; }

inline HeadStep product(std::string_view name) { return named(HeadStep::Kind::product, name); }

inline HeadStep pass(std::string_view name, std::uint8_t bytes, std::uint32_t launches = 1, Extent extent = Extent::rowsVocab) {
  HeadStep step = named(HeadStep::Kind::pass, name);
  step.bytes = bytes;
  step.launches = launches;
  step.extent = extent;
  return step;
}

/// A product or pass that devices with values compute.
inline HeadStep computing(HeadStep step, HeadMath math, std::string_view from, std::string_view to, std::string_view with = {}) {
  step.math = math;
  step.from = from;
  step.to = to;
  step.with = with;
  return step;
}

/// A pass whose kernels take one row each.
inline HeadStep passPerRow(std::string_view name, std::uint8_t bytes, std::uint32_t launches) {
  HeadStep step = pass(name, bytes, launches);
  step.perRow = true;
  return step;
}

inline HeadStep loop(LoopRows rows, HeadSteps body) {
  HeadStep step;
  step.kind = HeadStep::Kind::loop;
  step.loopRows = rows;
  step.body = std::move(body);
  return step;
}

inline HeadSteps joined(std::initializer_list<HeadSteps> parts) {
  HeadSteps all;
  for (const HeadSteps& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace offload::head_steps
