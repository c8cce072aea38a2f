#include "model/solve/duals.h"

#include <math.h>

/* An entry of a row or column: the column or row it stands in, and what it is. */
typedef struct {
    guint index;
    double coef;
} Entry;

/* The entries other than 0 of line i, a row or a column: first[i]..first[i + 1] - 1. */
typedef struct {
    guint n;
    guint *first;
    Entry *entries;
} Lines;

/* The dual value of `row` follows from `column` once those of the column's other rows are known. */
typedef struct {
    guint row, column;
} Follower;

/* The dual values of open rows are still to be found; each open column is an equation of them. */
struct AtlasDuals {
    const AtlasSystem *system;
    Lines rows, columns;
    gboolean *row_open, *column_open;
    double *duals;     /* of every row; 0 while it is open */
    double *right;     /* of every column: what its open rows make up */
    guint *count;      /* of every line: its open entries */
    GArray *single;    /* of guint: lines that have one left */
    GArray *followers; /* of Follower */
    GArray *matrix;    /* of double */
};

/* ---- the matrix ---- */

static Lines lines_new(guint n, guint entries) {
    return (Lines){n, g_new0(guint, n + 2), g_new(Entry, entries + 1)};
}

static void lines_clear(Lines *lines) {
    g_free(lines->first);
    g_free(lines->entries);
}

/* From counts in first[i + 2] to first entries in first[i + 1]; adding the entries moves these on
 * to where they belong. */
static void lines_count_up(Lines *lines) {
    for (guint i = 2; i < lines->n + 2; i++)
        lines->first[i] += lines->first[i - 1];
}

static void list_lines(AtlasDuals *d) {
    const AtlasSystem *s = d->system;
    d->rows = lines_new(s->rows->len, s->terms->len);
    d->columns = lines_new(s->columns->len, s->terms->len);
    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < s->rows->len; i++)
            for (guint k = 0; k < ATLAS_ROW(s, i)->count; k++) {
                const AtlasTerm *term = ATLAS_TERM(s, ATLAS_ROW(s, i)->first + k);
                guint *row = &d->rows.first[i + 2 - pass];
                guint *column = &d->columns.first[term->column + 2 - pass];
                if (term->coef == 0)
                    continue;
                if (pass == 1) {
                    d->rows.entries[*row] = (Entry){term->column, (double)term->coef};
                    d->columns.entries[*column] = (Entry){i, (double)term->coef};
                }
                ++*row;
                ++*column;
            }
        if (pass == 0) {
            lines_count_up(&d->rows);
            lines_count_up(&d->columns);
        }
    }
}

AtlasDuals *atlas_duals_new(const AtlasSystem *system) {
    AtlasDuals *d = g_new0(AtlasDuals, 1);
    guint rows = system->rows->len, columns = system->columns->len;
    d->system = system;
    list_lines(d);
    d->row_open = g_new(gboolean, rows + 1);
    d->column_open = g_new(gboolean, columns + 1);
    d->duals = g_new(double, rows + 1);
    d->right = g_new(double, columns + 1);
    d->count = g_new(guint, MAX(rows, columns) + 1);
    d->single = g_array_new(FALSE, FALSE, sizeof(guint));
    d->followers = g_array_new(FALSE, FALSE, sizeof(Follower));
    d->matrix = g_array_new(FALSE, TRUE, sizeof(double));
    return d;
}

void atlas_duals_free(AtlasDuals *d) {
    if (!d)
        return;
    lines_clear(&d->rows);
    lines_clear(&d->columns);
    g_free(d->row_open);
    g_free(d->column_open);
    g_free(d->duals);
    g_free(d->right);
    g_free(d->count);
    g_array_unref(d->single);
    g_array_unref(d->followers);
    g_array_unref(d->matrix);
    g_free(d);
}

/* ---- the triangular parts ---- */

static void open_basis(AtlasDuals *d, const int *basis, const gint64 *objective) {
    guint rows = d->rows.n;
    for (guint i = 0; i < rows; i++) {
        d->row_open[i] = TRUE;
        d->duals[i] = 0;
    }
    for (guint j = 0; j < d->columns.n; j++) {
        d->column_open[j] = FALSE;
        d->right[j] = j < d->system->unknowns ? (double)objective[j] : 0;
    }
    for (guint i = 1; i <= rows; i++) {
        guint variable = (guint)ABS(basis[i]);
        if (variable <= rows)
            d->row_open[variable - 1] = FALSE;
        else
            d->column_open[variable - rows - 1] = TRUE;
    }
}

/* Counts the open entries of every open line; lists the lines that have one. */
static void count_open(AtlasDuals *d, const Lines *lines, const gboolean *open,
                       const gboolean *others) {
    g_array_set_size(d->single, 0);
    for (guint i = 0; i < lines->n; i++) {
        d->count[i] = 0;
        for (guint e = lines->first[i]; open[i] && e < lines->first[i + 1]; e++)
            d->count[i] += others[lines->entries[e].index] != 0;
        if (d->count[i] == 1)
            g_array_append_val(d->single, i);
    }
}

/* An open entry of a line; NULL if there is none. */
static const Entry *open_entry(const Lines *lines, guint line, const gboolean *others) {
    for (guint e = lines->first[line]; e < lines->first[line + 1]; e++)
        if (others[lines->entries[e].index])
            return &lines->entries[e];
    return NULL;
}

/* A column with one open row tells its dual value, which may leave other columns with one. */
static void solve_single_columns(AtlasDuals *d) {
    count_open(d, &d->columns, d->column_open, d->row_open);
    for (guint i = 0; i < d->single->len; i++) {
        guint column = g_array_index(d->single, guint, i);
        const Entry *found = open_entry(&d->columns, column, d->row_open);
        if (!found)
            continue; /* the basis is singular */
        guint row = found->index;
        d->duals[row] = d->right[column] / found->coef;
        d->row_open[row] = d->column_open[column] = FALSE;
        for (guint e = d->rows.first[row]; e < d->rows.first[row + 1]; e++) {
            const Entry *other = &d->rows.entries[e];
            if (!d->column_open[other->index])
                continue;
            d->right[other->index] -= other->coef * d->duals[row];
            if (--d->count[other->index] == 1)
                g_array_append_val(d->single, other->index);
        }
    }
}

/* A row with one open column follows from it in the end, and no other row needs that column. */
static void put_off_single_rows(AtlasDuals *d) {
    g_array_set_size(d->followers, 0);
    count_open(d, &d->rows, d->row_open, d->column_open);
    for (guint i = 0; i < d->single->len; i++) {
        Follower follower = {g_array_index(d->single, guint, i), 0};
        const Entry *found = open_entry(&d->rows, follower.row, d->column_open);
        if (!found)
            continue; /* the basis is singular */
        follower.column = found->index;
        d->row_open[follower.row] = d->column_open[follower.column] = FALSE;
        g_array_append_val(d->followers, follower);
        for (guint e = d->columns.first[follower.column]; e < d->columns.first[follower.column + 1];
             e++) {
            guint other = d->columns.entries[e].index;
            if (d->row_open[other] && --d->count[other] == 1)
                g_array_append_val(d->single, other);
        }
    }
}

static void solve_followers(AtlasDuals *d, const gint64 *objective) {
    for (guint i = d->followers->len; i-- > 0;) {
        Follower f = g_array_index(d->followers, Follower, i);
        double rest = f.column < d->system->unknowns ? (double)objective[f.column] : 0, own = 1;
        for (guint e = d->columns.first[f.column]; e < d->columns.first[f.column + 1]; e++) {
            const Entry *entry = &d->columns.entries[e];
            if (entry->index == f.row)
                own = entry->coef;
            else
                rest -= entry->coef * d->duals[entry->index];
        }
        d->duals[f.row] = rest / own;
    }
}

/* ---- what is left ---- */

/* Solves n equations (rows of n + 1 numbers, the right side last) by elimination with pivoting; the
 * solution stands in the last column. FALSE if they are singular. */
static gboolean eliminate(double *matrix, guint n) {
    const gsize width = n + 1;
    for (guint k = 0; k < n; k++) {
        guint pivot = k;
        for (guint i = k + 1; i < n; i++)
            if (fabs(matrix[i * width + k]) > fabs(matrix[pivot * width + k]))
                pivot = i;
        if (fabs(matrix[pivot * width + k]) < 1e-9) /* coefficients are whole */
            return FALSE;
        for (gsize j = k; j < width && pivot != k; j++) {
            double spare = matrix[k * width + j];
            matrix[k * width + j] = matrix[pivot * width + j];
            matrix[pivot * width + j] = spare;
        }
        for (guint i = k + 1; i < n; i++) {
            double factor = matrix[i * width + k] / matrix[k * width + k];
            for (gsize j = k; factor != 0 && j < width; j++)
                matrix[i * width + j] -= factor * matrix[k * width + j];
        }
    }
    for (guint k = n; k-- > 0;) {
        for (gsize j = k + 1; j < n; j++)
            matrix[k * width + n] -= matrix[k * width + j] * matrix[j * width + n];
        matrix[k * width + n] /= matrix[k * width + k];
    }
    return TRUE;
}

static gboolean solve_rest(AtlasDuals *d) {
    guint n = 0, equation = 0;
    for (guint i = 0; i < d->rows.n; i++)
        if (d->row_open[i])
            d->count[i] = n++; /* its place among the open rows */
    g_array_set_size(d->matrix, 0);
    g_array_set_size(d->matrix, n * (n + 1));
    double *matrix = (double *)(void *)d->matrix->data;
    for (guint j = 0; j < d->columns.n; j++) {
        if (!d->column_open[j])
            continue;
        if (equation == n)
            return FALSE;
        double *row = matrix + (gsize)equation++ * (n + 1);
        for (guint e = d->columns.first[j]; e < d->columns.first[j + 1]; e++)
            if (d->row_open[d->columns.entries[e].index])
                row[d->count[d->columns.entries[e].index]] = d->columns.entries[e].coef;
        row[n] = d->right[j];
    }
    if (equation < n || !eliminate(matrix, n))
        return FALSE;
    for (guint i = 0; i < d->rows.n; i++)
        if (d->row_open[i])
            d->duals[i] = matrix[(gsize)d->count[i] * (n + 1) + n];
    return TRUE;
}

const double *atlas_duals_find(AtlasDuals *d, const int *basis, const gint64 *objective) {
    open_basis(d, basis, objective);
    solve_single_columns(d);
    put_off_single_rows(d);
    if (!solve_rest(d))
        return NULL;
    solve_followers(d, objective);
    return d->duals;
}
