/* Kernels that the device executed, by CUPTI's records, with their time: only with the detail
 * "activities", since records make launches dearer.
 *
 * A kernel belongs where its launch does, which CUPTI's correlation of the two tells: the last
 * million of launches are remembered, and a record that comes later still is counted as lost, as
 * are those that CUPTI drops.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_ACTIVITIES_H
#define ATLAS_BACKENDS_RECORD_INJECT_ACTIVITIES_H

#include <stdbool.h>

#include "backends/cuda/cupti_abi.h"

/* Whether the recorder asks for them. */
bool activities_wanted(void);

/* Begins; CUPTI's result. `cupti` stays as it is. Records are taken when the program exits. */
unsigned activities_begin(const Cupti *cupti);

/* This thread launches now, under CUPTI's number `correlation`. */
void activities_launched(uint32_t correlation);

#endif
