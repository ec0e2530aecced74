/* A small program that solves Sudokus of nine values, one on each line, for the tests.
 *
 * sudoku grid      answers with the first solution
 * sudoku count N   answers with the number of solutions, at most N if N is given
 * sudoku both N    answers with the board, that number and the first solution, with : between
 * sudoku file F    answers with the first solution of the board in a file, in rows
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char cells[82], first[82];
static int rows[9], columns[9], boxes[9];
static long found, most, guessed;

static void search(void) {
  int best = -1, fewest = 10, masks = 0;
  for (int cell = 0; cell < 81; cell++) {
    if (cells[cell] != '.') continue;
    int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
    int open = 511 & ~(rows[row] | columns[column] | boxes[box]);
    int count = __builtin_popcount(open);
    if (count < fewest) { best = cell; fewest = count; masks = open; }
  }
  if (best < 0) {
    if (!found++) memcpy(first, cells, 82);
    return;
  }
  guessed += fewest > 1;
  int row = best / 9, column = best % 9, box = row / 3 * 3 + column / 3;
  for (int value = 0; value < 9 && (most == 0 || found < most); value++) {
    int bit = 1 << value;
    if (!(masks & bit)) continue;
    cells[best] = (char)('1' + value);
    rows[row] |= bit; columns[column] |= bit; boxes[box] |= bit;
    search();
    rows[row] &= ~bit; columns[column] &= ~bit; boxes[box] &= ~bit;
    cells[best] = '.';
  }
}

static void solve_line(const char *line) {
  memset(rows, 0, sizeof rows);
  memset(columns, 0, sizeof columns);
  memset(boxes, 0, sizeof boxes);
  memcpy(cells, line, 81);
  found = guessed = 0;
  for (int cell = 0; cell < 81; cell++)
    if (cells[cell] == '0') cells[cell] = '.';
  for (int cell = 0; cell < 81; cell++) {
    if (cells[cell] == '.') continue;
    int bit = 1 << (cells[cell] - '1'), row = cell / 9, column = cell % 9;
    int box = row / 3 * 3 + column / 3;
    if ((rows[row] | columns[column] | boxes[box]) & bit) return;
    rows[row] |= bit; columns[column] |= bit; boxes[box] |= bit;
  }
  search();
}

int main(int count, char **words) {
  const char *mode = count > 1 ? words[1] : "grid";
  char line[4096];
  most = strcmp(mode, "grid") && count > 2 ? atol(words[2]) : 0;
  FILE *input = stdin;
  if (!strcmp(mode, "file")) {
    input = fopen(words[2], "r");
    if (!input) return 1;
  }
  if (!strcmp(mode, "grid") || !strcmp(mode, "file")) most = 1;
  while (fgets(line, sizeof line, input)) {
    solve_line(line);
    if (!strcmp(mode, "count")) printf("%ld\n", found);
    else if (!strcmp(mode, "both")) printf("%.81s:%ld:%.81s\n", line, found, found ? first : "");
    else if (!found) puts("-");
    else if (!strcmp(mode, "file"))
      for (int row = 0; row < 9; row++) printf("%.9s\n", first + 9 * row);
    else puts(first);
    fflush(stdout);
  }
  return 0;
}
