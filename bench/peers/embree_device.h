// SPDX-License-Identifier: Apache-2.0

#ifndef ORBOX_BENCH_PEERS_EMBREE_DEVICE_H_
#define ORBOX_BENCH_PEERS_EMBREE_DEVICE_H_

#include <embree3/rtcore.h>

namespace orbox::peers {

// One for the whole program, with one thread, and with the instruction set that
// Orbox is held to, if any, at the first call.
RTCDevice EmbreeDevice();

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_EMBREE_DEVICE_H_
