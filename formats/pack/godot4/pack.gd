# Makes a save, and packs by PCKPacker: pack.gd FOLDER.
extends SceneTree

const KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"


func _init():
	var folder = OS.get_cmdline_args()[-1]
	var save = FileAccess.open("res://start.save", FileAccess.WRITE)
	save.store_var({"hp": 7, "bag": ["rope", "lamp"], "at": Vector2(1.5, -2)})
	save.close()
	for encrypted in [false, true]:
		var packer = PCKPacker.new()
		var path = folder + ("/encrypted.pck" if encrypted else "/packer.pck")
		packer.pck_start(path, 32, KEY, encrypted)
		packer.add_file("res://note.txt", "res://note.txt")
		packer.add_file("res://start.save", "res://start.save", encrypted)
		packer.add_file_removal("res://gone.txt")
		packer.flush()
	quit()
