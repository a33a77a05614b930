//! The numbers, each declared once.

/// Calls a macro with the table of numbers: the names of the two methods, the type that gives width and sign, its
/// name in errors, and its description.
macro_rules! numbers {
    ($each:ident) => {
        $each! {
            put_8 get_8: i8, "8", "a byte, signed";
            put_u8 get_u8: u8, "u8", "a byte";
            put_16 get_16: i16, "16", "two bytes, signed";
            put_u16 get_u16: u16, "u16", "two bytes";
            put_32 get_32: i32, "32", "four bytes, signed";
            put_u32 get_u32: u32, "u32", "four bytes";
            put_64 get_64: i64, "64", "eight bytes, signed";
            put_u64 get_u64: u64, "u64", "eight bytes (to the engines, which have no unsigned int, 2^63 and more are negative)";
            put_float get_float: f32, "float", "a number in single precision";
            put_double get_double: f64, "double", "a number in double precision";
        }
    };
}
pub(super) use numbers;
