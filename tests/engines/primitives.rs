//! Tests what StreamPeers put and get other than values: numbers, strings, plain bytes.

use std::net::TcpStream;

use formwork_variant::frame::{ByteOrder, write_frame};
use formwork_variant::stream_peer::{StreamPeerReader, StreamPeerWriter};
use formwork_variant::{Decoder, Encoder, Result};
use formwork_variant::{Variant, VariantString};

use crate::engine::with_each_engine;
use crate::session::{Session, write_all};

type Writer = StreamPeerWriter<Vec<u8>>;
type Reader<'a> = StreamPeerReader<&'a TcpStream>;

/// Sends the bytes that `put` makes of each sample, and the sample as a value. The engine gets the first and puts it
/// again, reports which value it got, and puts the second.
fn exchange<T: Clone + Send + Sync>(
    session: &Session<'_>,
    kind: &str,
    order: ByteOrder,
    samples: &[T],
    put: impl Fn(&mut Writer, T) -> Result<()>,
    get: impl Fn(&mut Reader<'_>, &T) -> Result<T>,
    value: impl Fn(T) -> Variant,
) -> usize {
    exchange_kept(session, kind, order, samples, put, get, value, T::clone)
}

/// Exchanges samples that are not kept exactly.
#[allow(clippy::too_many_arguments, reason = "they are the columns of a table")]
fn exchange_kept<T: Clone + Send + Sync>(
    session: &Session<'_>,
    kind: &str,
    order: ByteOrder,
    samples: &[T],
    put: impl Fn(&mut Writer, T) -> Result<()>,
    get: impl Fn(&mut Reader<'_>, &T) -> Result<T>,
    value: impl Fn(T) -> Variant,
    kept: impl Fn(&T) -> T,
) -> usize {
    let dialect = session.engine.dialect;
    let mut bytes = Vec::new();
    for sample in samples {
        let mut writer = Writer::new(Vec::new(), dialect, order);
        put(&mut writer, sample.clone()).expect("a vector takes anything");
        bytes.extend(writer.into_inner());
        let packet = Encoder::new(dialect).encode(&value(sample.clone())).expect("it is a value");
        write_frame(&mut bytes, &packet, order).expect("a vector takes anything");
    }
    let (count, big_endian) = (samples.len() as i64, order == ByteOrder::Big);
    match kind {
        "data" => session.call("data", [count.into(), big_endian.into()]),
        kind => session.call("primitives", [kind.into(), count.into(), big_endian.into()]),
    }
    session.send_while(
        |stream| write_all(stream, &bytes),
        |session| {
            let mut reader = Reader::new(session.stream(), dialect, order);
            for sample in samples {
                let sent = value(kept(sample));
                let again = value(get(&mut reader, sample).expect("the engine puts it again"));
                let got: Variant =
                    reader.get_var(&Decoder::new(dialect)).expect("the engine says what it got");
                let made = value(get(&mut reader, sample).expect("the engine puts it"));
                for (what, answer) in [("put again", again), ("got", got), ("put", made)] {
                    let release = &session.engine.release;
                    let same = answer.is_identical(&sent);
                    assert!(same, "Godot {release}: {what} {answer:?} for {kind} {sent:?}");
                }
            }
        },
    );
    samples.len()
}

/// Returns numbers at the edges of `bits` bits, and some between.
fn edges(bits: u32) -> Vec<u64> {
    let all = u64::MAX >> (64 - bits);
    let pattern = 0x0123_4567_89ab_cdef & all;
    vec![0, 1, 2, 0x7f & all, 0x80 & all, all >> 1, (all >> 1) + 1, all - 1, all, pattern]
}

#[test]
#[ignore = "needs an engine"]
fn numbers_strings_and_bytes_come_back() {
    with_each_engine(|engine| {
        let session = Session::start(engine);
        let mut count = 0;
        for order in [ByteOrder::Little, ByteOrder::Big] {
            macro_rules! wholes {
                ($( $name:literal $number:ident $put:ident $get:ident; )+) => { $(
                    let samples: Vec<_> =
                        edges($number::BITS).into_iter().map(|bits| bits as $number).collect();
                    count += exchange(
                        &session,
                        $name,
                        order,
                        &samples,
                        Writer::$put,
                        |reader, _| reader.$get(),
                        |number| Variant::Int(number as i64),
                    );
                )+ };
            }
            wholes! {
                "8" i8 put_8 get_8;
                "u8" u8 put_u8 get_u8;
                "16" i16 put_16 get_16;
                "u16" u16 put_u16 get_u16;
                "32" i32 put_32 get_32;
                "u32" u32 put_u32 get_u32;
                "64" i64 put_64 get_64;
                "u64" u64 put_u64 get_u64;
            }
            let singles = [0.0, -0.0, 0.1, -1.5, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY];
            let singles = [&singles[..], &[f32::from_bits(1), -f32::INFINITY, f32::NAN]].concat();
            let single = |number: f32| Variant::Float(number.into());
            let get = |reader: &mut Reader<'_>, _: &f32| reader.get_float();
            count += exchange(&session, "float", order, &singles, Writer::put_float, get, single);
            let doubles = [0.0, -0.0, 0.1, f64::MAX, 5e-324, f64::NEG_INFINITY, f64::NAN];
            let get = |reader: &mut Reader<'_>, _: &f64| reader.get_double();
            let double = Variant::Float;
            count += exchange(&session, "double", order, &doubles, Writer::put_double, get, double);
            if engine.has_half() {
                // The engine truncates digits that a half does not hold, as this library does.
                let exact = [0.0, 1.0, -1.5, 0.333_251_95, 65_504.0, -6.103_515_6e-5];
                let cut = [-0.0, 0.1, 1.0014, 65_519.0, 65_535.0, 65_536.0, 6.1e-5, -1e30, 5.9e-8];
                let halves = [&exact[..], &cut, &singles].concat();
                let get = |reader: &mut Reader<'_>, _: &f32| reader.get_half();
                let kept = |&number: &f32| {
                    let mut writer = Writer::new(Vec::new(), engine.dialect, order);
                    writer.put_half(number).expect("a vector takes anything");
                    let bytes = writer.into_inner();
                    let mut reader = StreamPeerReader::new(&*bytes, engine.dialect, order);
                    reader.get_half().expect("it was put")
                };
                assert!(exact.iter().all(|number| kept(number) == *number));
                let put = Writer::put_half;
                count += exchange_kept(&session, "half", order, &halves, put, get, single, kept);
            }
            let long = "long ".repeat(20_000);
            let texts = ["", "a", "lamp", "quoted \"text\"\n", long.as_str()];
            let texts = texts.map(VariantString::from);
            let put = |writer: &mut Writer, text: VariantString| {
                writer.put_string(text.as_str().expect("it is ASCII"))
            };
            let get = |reader: &mut Reader<'_>, _: &VariantString| reader.get_string(None);
            count += exchange(&session, "string", order, &texts, put, get, Variant::String);
            let texts =
                [&texts[..], &["Größe \u{20ac} \u{1f600}".into(), "\u{e9}".into()]].concat();
            let put = |writer: &mut Writer, text: VariantString| writer.put_utf8_string(&text);
            let get = |reader: &mut Reader<'_>, _: &VariantString| reader.get_utf8_string(None);
            count += exchange(&session, "utf8_string", order, &texts, put, get, Variant::String);
            let data = [Vec::new(), vec![0], vec![1, 2, 255], vec![7; 100_000]];
            let put = |writer: &mut Writer, bytes: Vec<u8>| {
                writer.put_u32(bytes.len() as u32)?;
                writer.put_data(&bytes)
            };
            let get = |reader: &mut Reader<'_>, sent: &Vec<u8>| reader.get_data(sent.len());
            let value = Variant::PackedByteArray;
            count += exchange(&session, "data", order, &data, put, get, value);
        }
        println!("Godot {}: {count} numbers, strings and pieces of data", engine.release);
        session.finish();
    });
}
