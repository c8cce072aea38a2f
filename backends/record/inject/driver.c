#include "backends/record/inject/driver.h"

#include <dlfcn.h>
#include <string.h>

Driver driver;

static const char *const symbols[] = {
#define DRIVER_SYMBOL(symbol, parameters) #symbol,
    DRIVER_CALLS(DRIVER_SYMBOL)
#undef DRIVER_SYMBOL
};

void driver_find(void *handle) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *call = dlsym(handle, symbols[i]);
        memcpy((char *)&driver + i * sizeof call, &call, sizeof call);
    }
}
