#pragma once

namespace lipizz {

/// Tells the kernel that the calling thread computes for long and is in no hurry: it is scheduled
/// as batch work, in slices as long as the kernel allows; threads that it starts afterwards inherit
/// that. Where more ranks than cores share a node, each then keeps its caches for a hundred
/// milliseconds at a time instead of one or two. A kernel that does not know such slices (Linux
/// before 6.12) gets the batch policy alone; elsewhere nothing happens. See sched(7).
void prefer_long_time_slices();

/// Tells the kernel that the calling thread is to be woken at once, whatever the thread that
/// started it has asked for: time sharing, in slices of the kernel's usual length. For threads that
/// answer others.
void prefer_short_waits();

}  // namespace lipizz
