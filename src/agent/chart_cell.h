/*
 * chart_cell.h
 *	  Text in the columns of a terminal.
 */
#ifndef SA_CHART_CELL_H
#define SA_CHART_CELL_H

/* Columns that a text takes. */
extern int sa_cell_width(const char *text);

/* One line of at most so many columns; "…" when it was longer. */
extern char *sa_cell_clip(const char *text, int width);

#endif /* SA_CHART_CELL_H */
