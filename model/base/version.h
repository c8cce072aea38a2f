/* The version of the programs and of what they print. */
#ifndef ATLAS_MODEL_BASE_VERSION_H
#define ATLAS_MODEL_BASE_VERSION_H

#define ATLAS_VERSION "0.1.0"

#endif
