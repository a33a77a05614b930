//! Values found by a word in them, or by their names.

use formwork::document::Child;

use crate::File;

/// Entries of one level that are looked at in one step.
const STEP: usize = 1024;

impl File {
    /// Returns the values whose name or text has a word in it, whatever the case of its letters, in the order of the file
    /// and at most `most`.
    ///
    /// ```
    /// let file = formwork_file::open(br#"{"bag": [{"name": "Lamp", "count": 2}], "lamps": 7}"#)?;
    /// let paths: Vec<_> = file.search("lamp", 10).into_iter().map(|it| it.path).collect();
    /// assert_eq!(paths, ["bag/0/name", "lamps"]);
    /// # Ok::<(), formwork_file::Error>(())
    /// ```
    #[must_use]
    pub fn search(&self, word: &str, most: usize) -> Vec<Child> {
        let word = word.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&word);
        let mut found = Vec::new();
        // A list instead of recursion: values may nest to any depth. Each entry is a level: its path, where its next part
        // begins, and the children of this part that are left.
        let level = |path: String, from: usize| {
            let children = self.children(&path, from..from + STEP).unwrap_or_default();
            let next = (children.len() == STEP).then_some(from + STEP);
            (path, next, children.into_iter())
        };
        let mut open = vec![level(String::new(), 0)];
        while let Some((path, next, children)) = open.last_mut() {
            let Some(child) = children.next() else {
                match next {
                    Some(from) => {
                        let more = level(std::mem::take(path), *from);
                        open.pop();
                        open.push(more);
                    }
                    None => drop(open.pop()),
                }
                continue;
            };
            let inside = child.length.is_some_and(|length| length > 0).then(|| child.path.clone());
            // The number of an element is no name.
            let is_named = child.name.parse::<u64>().is_err() && has(&child.name);
            if is_named || child.shown.as_deref().is_some_and(has) {
                found.push(child);
            }
            if found.len() >= most {
                return found;
            }
            open.extend(inside.map(|path| level(path, 0)));
        }
        found
    }
}
