/*
 * shape.h
 *	  What the shape of a result tells: how to draw it, and its figures.
 */
#ifndef SA_SHAPE_H
#define SA_SHAPE_H

#include "db/result.h"

/* {"type": bar|line|pie|scatter|table, "x": name, "y": [names]} */
extern void sa_shape_visualization(StringInfo out, const SaResult *result);

/*
 * [{"column", "count", "nulls", "min", "max", "mean", "q1", "median", "q3"}], one
 * for each column of measures.
 */
extern void sa_shape_stats(StringInfo out, const SaResult *result);

#endif /* SA_SHAPE_H */
