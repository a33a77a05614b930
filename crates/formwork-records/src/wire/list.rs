//! Consecutive numbers, in any struct or array.

use super::{Components, Number};

/// Consecutive numbers, in wire order: the components of one value, or those of all elements of an array.
pub trait NumberList<N: Number> {
    /// Returns the number of numbers in an element; a single value is one element.
    fn step(&self) -> usize;

    /// Returns the number of elements.
    fn elements(&self) -> usize;

    /// Returns the number at a position among all numbers.
    fn number(&self, at: usize) -> Option<N>;

    /// Passes all numbers to `sink`.
    fn for_each(&self, sink: &mut dyn FnMut(N));

    /// Returns the numbers as a slice, if they are consecutive in memory.
    fn as_slice(&self) -> Option<&[N]>;
}

impl<'v, N: Number> dyn NumberList<N> + 'v {
    /// Returns the number of numbers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.step() * self.elements()
    }

    /// Iterates over all numbers.
    pub fn iter(&self) -> impl Iterator<Item = N> + '_ {
        (0..self.count()).map_while(|at| self.number(at))
    }

    /// Returns all numbers, each converted.
    pub fn converted<T>(&self, convert: impl Fn(N) -> T) -> Vec<T> {
        let mut made = Vec::with_capacity(self.count());
        self.for_each(&mut |number| made.push(convert(number)));
        made
    }
}

/// Returns the number of numbers in a value.
const fn step<T: Components>() -> usize {
    size_of::<T::Array>() / size_of::<T::Number>()
}

/// Calls `with` with the numbers of a value.
pub fn with_numbers<T: Components, O>(value: T, with: impl FnOnce(&[T::Number]) -> O) -> O {
    with(bytemuck::cast_slice::<T::Array, T::Number>(&[value.to_components()]))
}

/// Returns the values made of consecutive numbers, without numbers at the end that are too few for one.
pub fn values_of<T: Components>(mut numbers: Vec<T::Number>) -> Vec<T> {
    numbers.truncate(numbers.len() / step::<T>() * step::<T>());
    let arrays = bytemuck::allocation::try_cast_vec(numbers)
        .unwrap_or_else(|(_, numbers)| bytemuck::allocation::pod_collect_to_vec(&numbers));
    T::from_arrays(arrays)
}

/// Returns the value made of exactly these numbers.
pub fn value_of<T: Components>(numbers: &[T::Number]) -> Option<T> {
    match bytemuck::try_cast_slice::<T::Number, T::Array>(numbers) {
        Ok([components]) => Some(T::from_components(*components)),
        _ => None,
    }
}

/// A type that is read from a list of numbers: a math type, or an array of numbers or math types.
pub trait FromNumbers: Sized {
    /// The kind of number.
    type Number: Number;
    /// The number of numbers in an element.
    const STEP: usize;
    /// Whether there is always one element.
    const SINGLE: bool;

    /// Returns the value made of these numbers, if their count is right.
    fn from_numbers(numbers: Vec<Self::Number>) -> Option<Self>;
}

impl<T: Components> FromNumbers for T {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = true;

    fn from_numbers(numbers: Vec<Self::Number>) -> Option<Self> {
        value_of(&numbers)
    }
}

impl<T: Components> FromNumbers for Vec<T> {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = false;

    fn from_numbers(numbers: Vec<Self::Number>) -> Option<Self> {
        numbers.len().is_multiple_of(Self::STEP).then(|| values_of(numbers))
    }
}

impl<T: Components> FromNumbers for Box<[T]> {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = false;

    fn from_numbers(numbers: Vec<Self::Number>) -> Option<Self> {
        Vec::from_numbers(numbers).map(Vec::into_boxed_slice)
    }
}

impl<T: Components> NumberList<T::Number> for T {
    fn step(&self) -> usize {
        step::<T>()
    }

    fn elements(&self) -> usize {
        1
    }

    fn number(&self, at: usize) -> Option<T::Number> {
        with_numbers(*self, |numbers| numbers.get(at).copied())
    }

    fn for_each(&self, sink: &mut dyn FnMut(T::Number)) {
        with_numbers(*self, |numbers| numbers.iter().for_each(|&number| sink(number)));
    }

    fn as_slice(&self) -> Option<&[T::Number]> {
        None
    }
}

/// Implements the trait for the types of arrays, which own their elements in several ways.
macro_rules! arrays {
    ($($array:ty),+) => { $(
        impl<T: Components> NumberList<T::Number> for $array {
            fn step(&self) -> usize {
                step::<T>()
            }

            fn elements(&self) -> usize {
                self.len()
            }

            fn number(&self, at: usize) -> Option<T::Number> {
                let element = *self.get(at / step::<T>())?;
                with_numbers(element, |numbers| numbers.get(at % step::<T>()).copied())
            }

            fn for_each(&self, sink: &mut dyn FnMut(T::Number)) {
                for &element in self.iter() {
                    with_numbers(element, |numbers| numbers.iter().for_each(|&one| sink(one)));
                }
            }

            fn as_slice(&self) -> Option<&[T::Number]> {
                T::as_numbers(self)
            }
        }
    )+ };
}
arrays!(Vec<T>, Box<[T]>, &[T]);
