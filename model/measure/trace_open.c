#include "model/measure/trace_open.h"

static void stack_free(gpointer stack) {
    if (stack)
        g_array_unref(stack);
}

void trace_open_init(TraceOpen *open) {
    open->stacks = g_ptr_array_new_with_free_func(stack_free);
}

void trace_open_clear(TraceOpen *open) {
    g_ptr_array_unref(open->stacks);
}

const TraceOpenRange *trace_open_at(TraceOpen *open, guint key, gint64 time) {
    GArray *stack = key < open->stacks->len ? open->stacks->pdata[key] : NULL;
    while (stack && stack->len > 0) {
        const TraceOpenRange *last = &g_array_index(stack, TraceOpenRange, stack->len - 1);
        if (time < last->end)
            return last;
        g_array_set_size(stack, stack->len - 1);
    }
    return NULL;
}

void trace_open_push(TraceOpen *open, guint key, gint64 start, gint64 end, guint what) {
    TraceOpenRange range = {end, what};
    trace_open_at(open, key, start);
    if (open->stacks->len <= key)
        g_ptr_array_set_size(open->stacks, (gint)key + 1);
    if (!open->stacks->pdata[key])
        open->stacks->pdata[key] = g_array_new(FALSE, FALSE, sizeof(TraceOpenRange));
    g_array_append_val((GArray *)open->stacks->pdata[key], range);
}
