// The payloads of the protocol that are more than a few numbers. What Encode writes, the Decode
// beside it reads back equal; a Decode of anything else fails its decoder.
#pragma once

#include "device/device.h"
#include "remote/call.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

void Encode(Encoder& to, const DeviceProperties& properties);
DeviceProperties DecodeProperties(Decoder& from);

void Encode(Encoder& to, const ModuleInfo& module);
ModuleInfo DecodeModule(Decoder& from);

void Encode(Encoder& to, const LaunchRequest& request);
LaunchRequest DecodeLaunch(Decoder& from);

void Encode(Encoder& to, const DeviceBox& box);
DeviceBox DecodeBox(Decoder& from);

void Encode(Encoder& to, const Extent3& extent);
Extent3 DecodeExtent(Decoder& from);

void Encode(Encoder& to, const Call& call);
Call DecodeCall(Decoder& from);

// `text` is cut to kMaxTextBytes. Decoding accepts the ends that a host can report itself, and
// replaces control characters in its text.
void Encode(Encoder& to, const CallOutcome& outcome);
CallOutcome DecodeOutcome(Decoder& from);

}  // namespace warpcheck::remote
