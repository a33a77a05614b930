# Makes what the exports need, and a pack by PCKPacker: pack.gd FOLDER.
extends SceneTree


# An executable with a section `pck` and a few bytes behind what its head describes, which an export fills in:
# nothing that runs, but all that an export looks at.
func elf(path):
	var names = PoolByteArray([0]) + ".shstrtab".to_ascii() + PoolByteArray([0]) + "pck".to_ascii() + PoolByteArray([0])
	var file = File.new()
	file.open(path, File.WRITE)
	file.store_buffer(PoolByteArray([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
	file.store_16(2)
	file.store_16(62)
	file.store_32(1)
	file.store_64(0x400040)
	file.store_64(0)
	file.store_64(0x60)
	file.store_32(0)
	for word in [64, 56, 0, 64, 3, 1]:
		file.store_16(word)
	file.store_64(0)
	file.store_64(0)
	file.store_buffer(names)
	while file.get_position() < 0x60:
		file.store_8(0)
	for section in [[0, 0, 0, 0], [1, 3, 0x50, names.size()], [11, 1, 0x40, 8]]:
		file.store_32(section[0])
		file.store_32(section[1])
		file.store_64(0)
		file.store_64(0)
		file.store_64(section[2])
		file.store_64(section[3])
		file.store_64(0)
		file.store_64(1)
		file.store_64(0)
	file.store_string("tail!")
	file.close()


func exe(path):
	var file = File.new()
	file.open(path, File.WRITE)
	file.store_string("MZ")
	while file.get_position() < 60:
		file.store_8(0)
	file.store_32(64)
	file.store_32(0x4550)
	for word in [0x8664, 2, 0, 0, 0, 0, 0, 0, 240, 0x22, 0x20b]:
		file.store_16(word)
	while file.get_position() < 64 + 24 + 108:
		file.store_8(0)
	file.store_32(16)
	while file.get_position() < 64 + 24 + 240:
		file.store_8(0)
	for section in [[".text", 16, 0x1000, 16, 0x200], ["pck", 8, 0x2000, 8, 0x210]]:
		var start = file.get_position()
		file.store_string(section[0])
		while file.get_position() < start + 8:
			file.store_8(0)
		for index in range(1, 5):
			file.store_32(section[index])
		for _index in range(3):
			file.store_32(0)
		file.store_32(0x40000040)
	while file.get_position() < 0x218:
		file.store_8(0)
	file.store_string("odd")
	file.close()


func _init():
	var folder = OS.get_cmdline_args()[-1]
	elf(folder + "/template.elf")
	exe(folder + "/template.exe")
	var save = File.new()
	save.open("res://start.save", File.WRITE)
	save.store_var({"hp": 7, "bag": ["rope", "lamp"], "at": Vector2(1.5, -2)})
	save.close()
	var packer = PCKPacker.new()
	packer.pck_start(folder + "/packer.pck", 0)
	for name in ["note.txt", "start.save"]:
		packer.add_file("res://" + name, "res://" + name)
	packer.flush()
	quit()
