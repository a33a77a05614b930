//! Lays out text in columns.

/// Writes lines of cells in columns, each as wide as its widest cell.
pub(super) fn table(lines: &[impl AsRef<[String]>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for line in lines {
        let line = line.as_ref();
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut table = String::new();
    for line in lines {
        let cells = line.as_ref().iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:width$}"));
        table.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        table.push('\n');
    }
    table
}
