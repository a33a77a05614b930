//! Value literals: the macro [`variant!`](crate::variant!).

/// Makes a [`Variant`](crate::Variant) of a literal: `[...]` is an Array, `{ key: value, ... }` a Dictionary in that
/// order, and anything else an expression that [`Into`] converts to a value, such as a number, a text, a
/// [`Vector2`](crate::Vector2) or a `Vec<i32>` (a packed array). `null` is [`Variant::Nil`](crate::Variant::Nil).
///
/// A key is also an expression, of any type; one of more than one token is put in parentheses. If a key is repeated,
/// the later value is kept.
///
/// ```
/// use formwork_variant::variant;
/// use formwork_variant::Vector2;
///
/// let hp = 73.5;
/// let save = variant!({
///     "name": "Ada",
///     "hp": hp,
///     "position": Vector2::new(1.0, 2.0),
///     "items": ["sword", { "lamp": null }],
///     7: true,
///     (Vector2::new(0.0, 0.0)): "start",
/// });
/// assert_eq!(save["hp"], 73.5);
/// assert_eq!(save["items"][0], "sword");
/// assert_eq!(save[7], true);
/// ```
///
/// The value is of single precision, as the engines are distributed; `variant!(f64; ...)` is for a build of double
/// precision.
///
/// ```
/// use formwork_variant::{Variant, variant};
/// use formwork_variant::Vector2;
///
/// let place: Variant<f64> = variant!(f64; { "position": Vector2::new(0.1, 0.2) });
/// # assert!(place["position"] != variant!(f64; null));
/// ```
#[macro_export]
macro_rules! variant {
    (f64; $($literal:tt)+) => { $crate::__variant!(f64; $($literal)+) };
    ($($literal:tt)+) => { $crate::__variant!(f32; $($literal)+) };
}

/// The expansion of [`variant!`](crate::variant!), with the precision as the first argument.
#[doc(hidden)]
#[macro_export]
macro_rules! __variant {
    // The elements of an array: those that are made, then the remaining tokens.
    (@array $real:ident [$($made:expr,)*]) => { [$($made,)*] };
    (@array $real:ident [$($made:expr,)*] null $(, $($left:tt)*)?) => {
        $crate::__variant!(@array $real [$($made,)* $crate::__variant!($real; null),] $($($left)*)?)
    };
    (@array $real:ident [$($made:expr,)*] [$($inner:tt)*] $(, $($left:tt)*)?) => {
        $crate::__variant!(@array $real [$($made,)* $crate::__variant!($real; [$($inner)*]),] $($($left)*)?)
    };
    (@array $real:ident [$($made:expr,)*] {$($inner:tt)*} $(, $($left:tt)*)?) => {
        $crate::__variant!(@array $real [$($made,)* $crate::__variant!($real; {$($inner)*}),] $($($left)*)?)
    };
    (@array $real:ident [$($made:expr,)*] $next:expr $(, $($left:tt)*)?) => {
        $crate::__variant!(@array $real [$($made,)* $crate::__variant!($real; $next),] $($($left)*)?)
    };

    // The pairs of a dictionary.
    (@pairs $real:ident $into:ident) => {};
    (@pairs $real:ident $into:ident $key:tt : null $(, $($left:tt)*)?) => {
        $crate::__variant!(@pair $real $into $key, null);
        $crate::__variant!(@pairs $real $into $($($left)*)?);
    };
    (@pairs $real:ident $into:ident $key:tt : [$($inner:tt)*] $(, $($left:tt)*)?) => {
        $crate::__variant!(@pair $real $into $key, [$($inner)*]);
        $crate::__variant!(@pairs $real $into $($($left)*)?);
    };
    (@pairs $real:ident $into:ident $key:tt : {$($inner:tt)*} $(, $($left:tt)*)?) => {
        $crate::__variant!(@pair $real $into $key, {$($inner)*});
        $crate::__variant!(@pairs $real $into $($($left)*)?);
    };
    (@pairs $real:ident $into:ident $key:tt : $value:expr $(, $($left:tt)*)?) => {
        $crate::__variant!(@pair $real $into $key, $value);
        $crate::__variant!(@pairs $real $into $($($left)*)?);
    };
    (@pair $real:ident $into:ident $key:tt, $($value:tt)+) => {
        $into.insert($crate::__variant!($real; $key), $crate::__variant!($real; $($value)+));
    };

    // A value.
    ($real:ident; null) => { $crate::Variant::<$real>::Nil };
    ($real:ident; []) => { $crate::Variant::<$real>::Array($crate::Array::new()) };
    ($real:ident; [$($inner:tt)+]) => {
        $crate::Variant::<$real>::Array(
            ::std::iter::Iterator::collect(
                ::std::iter::IntoIterator::into_iter($crate::__variant!(@array $real [] $($inner)+)),
            ),
        )
    };
    ($real:ident; {}) => { $crate::Variant::<$real>::Dictionary($crate::Dictionary::new()) };
    ($real:ident; {$($inner:tt)+}) => {
        $crate::Variant::<$real>::Dictionary({
            let mut dictionary = $crate::Dictionary::<$real>::new();
            $crate::__variant!(@pairs $real dictionary $($inner)+);
            dictionary
        })
    };
    ($real:ident; $value:expr) => { <$crate::Variant<$real> as ::std::convert::From<_>>::from($value) };
}
