//! Maps as Terrain Builder writes them.

/// Keys with what belongs to them, in the order of the file: ascending, in every file seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Pairs<K, V> {
    /// Returns the value of a key.
    #[must_use]
    pub fn get<Q: ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: PartialEq<Q>,
    {
        self.0.iter().find(|(there, _)| there == key).map(|(_, value)| value)
    }

    /// Returns the value of a key, for changes.
    pub fn get_mut<Q: ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: PartialEq<Q>,
    {
        self.0.iter_mut().find(|(there, _)| there == key).map(|(_, value)| value)
    }

    /// Sets what belongs to a key; a new key goes to its place in the order. What belonged to it
    /// before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some((_, there)) = self.0.iter_mut().find(|(there, _)| *there == key) {
            return Some(std::mem::replace(there, value));
        }
        let place = self.0.partition_point(|(there, _)| *there < key);
        self.0.insert(place, (key, value));
        None
    }

    /// Takes a key out; what belonged to it.
    pub fn remove<Q: ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: PartialEq<Q>,
    {
        let position = self.0.iter().position(|(there, _)| there == key)?;
        Some(self.0.remove(position).1)
    }
}

impl<K, V> Pairs<K, V> {
    /// The pairs in the order of the file.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The pairs in the order of the file, to change what belongs to the keys.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> Default for Pairs<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// As they come: a file may have them in another order.
impl<K, V> FromIterator<(K, V)> for Pairs<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
