//! The two macros behind "declared once".

/// Declares a record: emits the struct with binrw's derived reader and writer, and its
/// [`Record`](crate::schema::Record).
///
/// ```text
/// declare! {
///     /// What it is.
///     pub struct Name<R: Real> {            // or <'a>, or nothing
///         /// A plain field: anything declared.
///         pub plain: u32,
///         /// As many elements as the expression over earlier fields says, one after another.
///         pub elements: Each<Text<'static>> [each plain],
///         /// The same, moved as one block of plain numbers.
///         pub block: Block<'a, f32> [block plain],
///         /// There only if the expression holds.
///         pub extra: Option<u32> [if plain > 3],
///         /// Zeros up to a multiple of four behind so many bytes.
///         pub padding: Padding [after plain],
///     }
///     // Fields that follow on the wire and that the reader's own loop handles, because they nest:
///     then {
///         /// Complete values.
///         elements: Variant [each plain],
///         // or: as many as fill so many bytes, counted from behind the field that says so, or all
///         // that is left.
///         fields: NestedField [fill plain],
///         fields: NestedField [to end],
///     }
/// }
/// ```
///
/// What only the schema keeps: `[text count]` or `[terminated count]` instead of `[block count]`
/// says that the bytes are a text, `[named MEANING]` behind a plain field what its numbers stand for,
/// `or end` behind the length of padding that the engines do not miss at the very end, and `inline`
/// before `once` or `each` that a path does not name the field.
///
/// The bracketed expression is stated once: binrw evaluates it, and the schema keeps its text.
macro_rules! declare {
    (
        $(#[doc = $doc:literal])+
        $(#[derive($($derive:ident),+)])?
        pub struct $name:ident $(<$generic:ident : $bound:ident>)?
            $(<$life:lifetime $(, $item:ident : $item_bound:ident)?>)? {
            $($fields:tt)*
        }
        $( then { $(
            $(#[doc = $then_doc:literal])+
            $then_name:ident : $then:ty [$($then_occurs:tt)+],
        )+ } )?
    ) => {
        $crate::wire::declare! { @field
            {
                docs: [$($doc)+], derives: [$($($derive),+)?], name: $name,
                generics: [$($generic : $bound = f32)? $($life $(, $item : $item_bound)?)?],
                bounds: [$($generic : $bound)? $($life $(, $item : $item_bound)?)?],
                arguments: [$($generic)? $($life $(, $item)?)?],
                then: [$( $( { [$($then_doc)+] $then_name [$then] [$($then_occurs)+] } )+ )?],
            }
            [] [] [] $($fields)*
        }
    };

    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : Each<$element:ty> [each $($count:tt)+], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)*
                $(#[doc = $doc])+
                #[br(args($crate::wire::Count::count($($count)+)))]
                pub $field: $crate::wire::Each<$element>,
            ]
            [$($schema)* { [$($doc)+] $field [$element] [each $($count)+] }]
            [$($sizes)* None,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : Block<$life:lifetime, $element:ty> [$kind:ident $($count:tt)+], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)*
                $(#[doc = $doc])+
                #[br(args($crate::wire::Count::count($($count)+)))]
                pub $field: $crate::wire::Block<$life, $element>,
            ]
            [$($schema)* { [$($doc)+] $field [$element] [$kind $($count)+] }]
            [$($sizes)* None,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : Option<$inner:ty> [if $($condition:tt)+], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)*
                $(#[doc = $doc])+
                #[br(if($($condition)+))]
                pub $field: Option<$inner>,
            ]
            [$($schema)* { [$($doc)+] $field [$inner] [if $($condition)+] }]
            [$($sizes)* None,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : Padding [after $length:ident or end], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)*
                $(#[doc = $doc])+
                #[br(args($crate::wire::Count::count($length)))]
                pub $field: $crate::wire::Padding,
            ]
            [$($schema)* { [$($doc)+] $field [$crate::wire::Padding] [after_or_end $length] }]
            [$($sizes)* None,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : Padding [after $($length:tt)+], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)*
                $(#[doc = $doc])+
                #[br(args($crate::wire::Count::count($($length)+)))]
                pub $field: $crate::wire::Padding,
            ]
            [$($schema)* { [$($doc)+] $field [$crate::wire::Padding] [after $($length)+] }]
            [$($sizes)* None,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : $plain:ty [named $meaning:expr], $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)* $(#[doc = $doc])+ pub $field: $plain,]
            [$($schema)* { [$($doc)+] $field [$plain] [once named $meaning] }]
            [$($sizes)* <$plain as $crate::schema::Declared>::SIZE,]
            $($rest)*
        }
    };
    (@field $head:tt [$($out:tt)*] [$($schema:tt)*] [$($sizes:tt)*]
        $(#[doc = $doc:literal])+ pub $field:ident : $plain:ty, $($rest:tt)*
    ) => {
        $crate::wire::declare! { @field $head
            [$($out)* $(#[doc = $doc])+ pub $field: $plain,]
            [$($schema)* { [$($doc)+] $field [$plain] [once] }]
            [$($sizes)* <$plain as $crate::schema::Declared>::SIZE,]
            $($rest)*
        }
    };
    (@field
        {
            docs: [$($doc:literal)+], derives: [$($derive:ident),*], name: $name:ident,
            generics: [$($generics:tt)*], bounds: [$($bounds:tt)*], arguments: [$($arguments:tt)*],
            then: [$({ [$($then_doc:literal)+] $then_name:ident [$then:ty] [$($then_occurs:tt)+] })*],
        }
        [$($out:tt)*]
        [$({ [$($field_doc:literal)+] $field:ident [$shape:ty] [$($occurs:tt)+] })*]
        [$($sizes:tt)*]
    ) => {
        $(#[doc = $doc])+
        #[derive(binrw::BinRead, binrw::BinWrite, Clone, Debug, PartialEq $(, $derive)*)]
        #[brw(little)]
        pub struct $name<$($generics)*> { $($out)* }

        impl<$($bounds)*> $crate::schema::Declared for $name<$($arguments)*> {
            const SHAPE: $crate::schema::Shape = $crate::schema::Shape::Record(&$crate::schema::Record {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                fields: &[
                    $( $crate::schema::Field {
                        name: stringify!($field),
                        doc: concat!($($field_doc, "\n"),+),
                        shape: <$shape as $crate::schema::Declared>::SHAPE,
                        occurs: $crate::wire::declare!(@occurs $($occurs)+),
                        meaning: $crate::wire::declare!(@meaning $($occurs)+),
                        inline: $crate::wire::declare!(@inline $($occurs)+),
                    }, )*
                    $( $crate::schema::Field {
                        name: stringify!($then_name),
                        doc: concat!($($then_doc, "\n"),+),
                        shape: <$then as $crate::schema::Declared>::SHAPE,
                        occurs: $crate::wire::declare!(@occurs $($then_occurs)+),
                        meaning: $crate::wire::declare!(@meaning $($then_occurs)+),
                        inline: $crate::wire::declare!(@inline $($then_occurs)+),
                    }, )*
                ],
            });
            const SIZE: Option<usize> = {
                let followed: &[&str] = &[$( stringify!($then_name) ),*];
                if followed.is_empty() { $crate::schema::total(&[$($sizes)*]) } else { None }
            };
            const LEAST: usize = $crate::schema::least(&[$($sizes)*]);
        }
    };

    (@occurs inline $($occurs:tt)+) => { $crate::wire::declare!(@occurs $($occurs)+) };
    (@occurs once named $meaning:expr) => { $crate::schema::Occurs::Once };
    (@occurs once) => { $crate::schema::Occurs::Once };
    (@occurs each $($expression:tt)+) => { $crate::schema::Occurs::Times(stringify!($($expression)+)) };
    (@occurs if $($expression:tt)+) => { $crate::schema::Occurs::If(stringify!($($expression)+)) };
    (@occurs block $($expression:tt)+) => { $crate::schema::Occurs::Times(stringify!($($expression)+)) };
    (@occurs text $($expression:tt)+) => { $crate::schema::Occurs::Times(stringify!($($expression)+)) };
    (@occurs terminated $($expression:tt)+) => { $crate::schema::Occurs::Times(stringify!($($expression)+)) };
    (@occurs after_or_end $($expression:tt)+) => {
        $crate::schema::Occurs::AfterOrEnd(stringify!($($expression)+))
    };
    (@occurs fill $($expression:tt)+) => { $crate::schema::Occurs::Fill(stringify!($($expression)+)) };
    (@occurs to end) => { $crate::schema::Occurs::ToEnd };
    (@occurs after $($expression:tt)+) => { $crate::schema::Occurs::After(stringify!($($expression)+)) };

    (@meaning once named $meaning:expr) => { $meaning };
    (@meaning terminated $($rest:tt)+) => { $crate::schema::Meaning::TerminatedText };
    (@meaning text $($rest:tt)+) => { $crate::schema::Meaning::Text };
    (@meaning $($rest:tt)+) => { $crate::schema::Meaning::Plain };

    (@inline inline $($rest:tt)+) => { true };
    (@inline $($rest:tt)+) => { false };
}
pub(crate) use declare;

/// Declares a bit-packed word: emits the modular-bitfield type, its binrw reader and writer (the
/// word is read whole, then taken apart) and its [`Word`](crate::schema::Word).
///
/// Every bit pattern is a value of the type: fields are plain integers and bools, so no getter of
/// modular-bitfield can meet a pattern it does not know. `[named MEANING]` behind a part says what
/// its numbers stand for.
macro_rules! bits {
    (
        $(#[doc = $doc:literal])+
        pub struct $name:ident: $word:ident {
            $(
                $(#[doc = $field_doc:literal])+
                pub $field:ident : $width:ident $([named $meaning:expr])?,
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[modular_bitfield::bitfield]
        #[derive(binrw::BinRead, binrw::BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
        #[br(map = Self::from_bytes)]
        #[bw(map = |word: &Self| word.into_bytes())]
        pub struct $name {
            $( $(#[doc = $field_doc])+ pub $field: $width, )+
        }

        impl $crate::schema::Declared for $name {
            const SHAPE: $crate::schema::Shape = $crate::schema::Shape::Word(&$crate::schema::Word {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                bytes: size_of::<$word>() as u8,
                bits: &[$( $crate::schema::Bits {
                    name: stringify!($field),
                    doc: concat!($($field_doc, "\n"),+),
                    width: <$width as modular_bitfield::Specifier>::BITS as u8,
                    meaning: $crate::wire::bits!(@meaning $($meaning)?),
                }, )+],
            });
            const SIZE: Option<usize> = Some(size_of::<$word>());
        }

        impl From<$word> for $name {
            fn from(word: $word) -> Self {
                Self::from_bytes(word.to_le_bytes())
            }
        }

        impl From<$name> for $word {
            fn from(word: $name) -> Self {
                Self::from_le_bytes(word.into_bytes())
            }
        }

        #[cfg(feature = "arbitrary")]
        impl<'a> arbitrary::Arbitrary<'a> for $name {
            // Not derived: the derive would fill the bytes without regard to the fields. Here every
            // pattern of the word is a value, so the word is enough.
            fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                Ok(Self::from(<$word as arbitrary::Arbitrary>::arbitrary(u)?))
            }
        }
    };
    (@meaning) => { $crate::schema::Meaning::Plain };
    (@meaning $meaning:expr) => { $meaning };
}
pub(crate) use bits;
