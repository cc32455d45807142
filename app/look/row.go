package look

// RowHeight is the height of a row with one line, as of a feed or a label.
const RowHeight = 30
