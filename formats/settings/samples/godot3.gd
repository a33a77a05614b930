# Writes settings of every kind: godot3-server --path . -s godot3.gd
extends SceneTree

func _init():
	var key = InputEventKey.new()
	key.scancode = KEY_W
	var button = InputEventJoypadButton.new()
	button.button_index = 3
	ProjectSettings.set_setting("input/jump", {"deadzone": 0.5, "events": [key, button]})
	ProjectSettings.set_setting("sample/color", Color(0.25, 0.5, 0.75, 1))
	ProjectSettings.set_setting("sample/ints", [1, -2, 5000000000])
	ProjectSettings.set_setting("sample/strings", PoolStringArray(["a", "b;\n\"c\"=d"]))
	ProjectSettings.set_setting("sample/nested", {"a": [Vector2(1, 2), Rect2(0, 0, 3, 4)], 5: null})
	ProjectSettings.set_setting("sample/path", NodePath("Node/Sub:prop"))
	ProjectSettings.save_custom("res://settings.binary")
	ProjectSettings.save_custom("res://settings.godot")
	ProjectSettings.set_setting("sample/ключ", "wert")
	ProjectSettings.set_setting("sample/later", true)
	ProjectSettings.save_custom("res://letters.binary")
	ProjectSettings.save_custom("res://letters.godot")
	var config = ConfigFile.new()
	config.set_value("player", "name", "Ada \"the\\first\"\n; not a comment\n[not a section]")
	config.set_value("player", "hp", 12.5)
	config.set_value("player", "odd key=ж", [1, {"a": Vector3(1, 2, 3)}])
	config.set_value("pools", "bytes", PoolByteArray([1, 2, 255]))
	config.set_value("pools", "ints", PoolIntArray([1, -2]))
	config.set_value("pools", "reals", PoolRealArray([0.5, 1e20]))
	config.set_value("pools", "strings", PoolStringArray(["a", "b"]))
	config.set_value("pools", "colors", PoolColorArray([Color(1, 0, 0, 1)]))
	config.set_value("odd ] section", "event", key)
	config.set_value("odd ] section", "nothing", true)
	config.save("res://config.cfg")
	config.save_encrypted_pass("res://config.encrypted.cfg", "correct horse")
	quit()
