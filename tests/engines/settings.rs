//! Tests files of settings: engines start from those that the library writes.

use std::process::Stdio;

use formwork_godot::Framing;
use formwork_variant::Encoder;
use formwork_variant::Variant;
use formwork_variant::variant;

use crate::engine::with_each_engine;

/// Prints settings as the engine has them.
const SCRIPT: &str = r#"extends SceneTree
func _init():
	for name in ["application/config/name", "game/ж", "game/list"]:
		print("> ", ProjectSettings.get_setting(name))
	print("> ", InputMap.has_action("jump"))
	quit()
"#;

#[test]
#[ignore = "needs an engine"]
fn engines_start_from_settings_that_we_write() {
    with_each_engine(|engine| {
        let value: Variant = variant!({
            "application/config/name": "Größe",
            "game/ж": 12,
            "game/list": [1, "two"],
            "input/jump": { "deadzone": 0.5, "events": [] },
        });
        let packet = Encoder::new(engine.dialect).encode(&value).expect("any engine has these");
        let file = Framing::Settings.join(engine.dialect, [packet]).expect("it is a Dictionary");
        let folder = tempfile::tempdir().expect("there is room for a folder");
        std::fs::write(folder.path().join("project.binary"), file).expect("there is room");
        std::fs::write(folder.path().join("main.gd"), SCRIPT).expect("there is room");
        let mut command = engine.run(folder.path());
        command.env("HOME", folder.path()).stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().expect("the engine runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        assert_eq!(lines.len(), 4, "{printed}");
        assert_eq!((lines[0], lines[1]), ("Größe", "12"), "{printed}");
        assert_eq!(lines[3].to_lowercase(), "true", "{printed}");
        assert!(lines[2].contains("1, ") && lines[2].contains("two"), "{printed}");
    });
}
