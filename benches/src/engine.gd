extends SceneTree
# Reads a packet and writes its value some times; prints the microseconds of each time.

func _init():
	measure()
	quit()

func measure():
	var file = File.new()
	file.open("res://packet.bin", File.READ)
	var packet = file.get_buffer(file.get_len())
	var value
	var written
	for _time in range(7):
		# What was read is gone before it is read again, as in our own measure.
		value = null
		var start = OS.get_ticks_usec()
		value = bytes2var(packet)
		var read = OS.get_ticks_usec()
		written = var2bytes(value)
		var end = OS.get_ticks_usec()
		print("> %d %d" % [read - start, end - read])
	print("same ", written == packet)
