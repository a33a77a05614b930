# Prints what the engine reads in files: packets, and saves that are compressed or encrypted.
extends SceneTree

func _init():
	for path in OS.get_cmdline_args():
		var file = File.new()
		if path.ends_with(".packet"):
			file.open(path, File.READ)
			var packet = file.get_buffer(file.get_len())
			var value = bytes2var(packet)
			var same = "written the same" if var2bytes(value) == packet else "written otherwise"
			print(path.get_file(), " ", to_json(value), " ", same)
		elif path.ends_with(".encrypted.save"):
			file.open_encrypted_with_pass(path, File.READ, "correct horse")
			print(path.get_file(), " ", to_json(file.get_var()["player"]))
		elif path.ends_with(".zstd.save"):
			file.open_compressed(path, File.READ, File.COMPRESSION_ZSTD)
			print(path.get_file(), " ", to_json(file.get_var()["player"]))
	quit()
