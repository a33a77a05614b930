//! Lays out text in columns.

/// Writes lines of cells in columns, each as wide as its widest cell.
pub(super) fn table<const COLUMNS: usize>(lines: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut table = String::new();
    for line in lines {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        table.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        table.push('\n');
    }
    table
}
