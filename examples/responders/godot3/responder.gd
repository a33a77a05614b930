# Answers formwork's decoder protocol with Godot 3 itself, over a connection, as scripts have no binary
# standard input:   godot3-server --path examples/responders/godot3 -s responder.gd --port={port}
extends SceneTree

const ACCEPTED = 0
const REJECTED = 1
const UNKNOWN = 0xffffffff

var stream = StreamPeerTCP.new()


func _initialize():
	stream.connect_to_host("127.0.0.1", port())
	while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	stream.set_no_delay(true)
	while true:
		# It waits; where nothing can come any more it gives 0, and is not connected.
		var length = stream.get_u32()
		if stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
			break
		answer(stream.get_data(length)[1] if length > 0 else PoolByteArray())
	quit()


func port():
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--port="):
			return int(argument.substr(7))
	return 0


# The engine does not say how many bytes it took. Where it refuses a packet it stops the function with an
# error and goes on in the one that called, which gets null; a null that was read is in a list. (Builds
# without checks do not stop: there the type tells them apart, as far as it can.)
func answer(packet):
	var read = read_list(packet)
	if read == null or packet.size() < 4 or read[0] == null and not packet[0] in [TYPE_NIL, TYPE_OBJECT]:
		put(REJECTED, PoolByteArray())
	else:
		put(ACCEPTED, var2bytes(read[0]))


func read_list(packet):
	return [bytes2var(packet)]


func put(status, bytes):
	var head = StreamPeerBuffer.new()
	head.put_u8(status)
	head.put_u32(UNKNOWN)
	head.put_u32(bytes.size())
	# In one piece: each piece is a packet of the network.
	stream.put_data(head.data_array + bytes)
