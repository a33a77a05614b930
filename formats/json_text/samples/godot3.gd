extends SceneTree

# Saves as Godot's manual has them: a JSON document on each line, plain and in the wrappers of File.
# Run in an empty folder: godot3-server --no-window -s godot3.gd
func _init():
	var player = {"node": "res://player.tscn", "gold": 120, "hp": 72.5, "level": 5.0, "name": "Ann \"A\"\tÄ", "bag": ["rope", "lamp"], "pos": {"x": 1.0, "y": -2.25}}
	var door = {"node": "res://door.tscn", "open": false, "key": null, "seed": 9007199254740993}
	var file = File.new()
	file.open("lines.save", File.WRITE)
	file.store_line(to_json(player))
	file.store_line(to_json(door))
	file.close()
	file.open("printed.json", File.WRITE)
	file.store_string(JSON.print({"player": player, "door": door}, "\t"))
	file.close()
	file.open_compressed("lines.zstd.save", File.WRITE, File.COMPRESSION_ZSTD)
	file.store_line(to_json(player))
	file.store_line(to_json(door))
	file.close()
	file.open_compressed("printed.fastlz.save", File.WRITE, File.COMPRESSION_FASTLZ)
	file.store_string(JSON.print({"player": player, "door": door}))
	file.close()
	file.open_encrypted_with_pass("lines.encrypted.save", File.WRITE, "correct horse")
	file.store_line(to_json(player))
	file.store_line(to_json(door))
	file.close()
	file.open("inside.save", File.WRITE)
	file.store_var({"save": to_json(player), "version": 2})
	file.close()
	quit()
