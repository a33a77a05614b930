//! Compiled scripts and binary resources, which are only read.

use formwork_godot::inspect::{Inspector, Kind};
use formwork_godot::resource::{self, Head};
use formwork_godot::script;
use formwork_variant::{Decoder, Limits};

/// The limit of unpacked bytes, which keeps a run short.
const LIMITS: Limits = Limits::new().unpacked_bytes(1 << 20);

/// Checks that any bytes are a script or an error. The inspector covers each byte of a content once, and
/// finds a fault only where the reader finds one.
pub fn script(data: &[u8]) {
    let Ok(head) = script::Head::of(data) else { return };
    let read = script::read(data, &Decoder::new(head.dialect()).limits(LIMITS));
    let Ok(content) = script::content(data, head, &LIMITS) else {
        assert!(read.is_err());
        return;
    };
    let inspector = Inspector::of_record(&content.bytes, "script", head.record())
        .in_dialect(head.dialect())
        .behind(content.start);
    let whole = covers(inspector, content.bytes.len() - content.start);
    // Node paths in a form that no engine writes: engines before 3.1 read them, and no record declares them.
    assert!(whole || read.is_err() || head.version < 13);
    if let Ok(script) = read {
        drop(script.into_value());
    }
}

/// Checks that any bytes are a resource or an error. The inspector covers each byte of a content once, and
/// finds a fault only where the reader finds one.
pub fn resource(data: &[u8]) {
    let Ok(content) = formwork_godot::resource::content(data, &LIMITS) else { return };
    let inspector = Inspector::of_record(&content.bytes, "resource", content.record());
    let Ok(head) = Head::of(&content) else {
        covers(inspector, content.bytes.len());
        return;
    };
    let dialect = head.dialect();
    let read = resource::read(&content, &Decoder::new(dialect).double().limits(LIMITS));
    let inspector = inspector.in_dialect(dialect).in_resource(head.layout(dialect));
    let whole = covers(inspector, content.bytes.len());
    assert!(whole || read.is_err());
    if let Ok(resource) = read {
        drop(resource.into_value());
    }
}

/// Returns whether the inspector reads all `length` bytes without a fault.
fn covers(inspector: Inspector<'_>, length: usize) -> bool {
    let (mut covered, mut whole) = (0, true);
    for item in inspector {
        match item {
            Ok(span) if matches!(span.kind, Kind::Leaf | Kind::Rest) => {
                covered += span.bytes.len();
                whole &= span.kind == Kind::Leaf;
            }
            Ok(_) => {}
            Err(_) => whole = false,
        }
    }
    assert_eq!(covered, length);
    whole
}
