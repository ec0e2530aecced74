"""SudokuPad: its JSON and its links, read and written."""
