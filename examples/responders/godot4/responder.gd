# Answers formwork's decoder protocol with Godot 4 itself, over a connection, as scripts have no binary
# standard input:   godot --headless --path examples/responders/godot4 -s responder.gd -- {port}
extends SceneTree

enum { ACCEPTED, REJECTED }
const UNKNOWN := 0xffffffff

var stream := StreamPeerTCP.new()


func _initialize() -> void:
	stream.connect_to_host("127.0.0.1", OS.get_cmdline_user_args()[0].to_int())
	while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
		stream.poll()
	stream.set_no_delay(true)
	while true:
		# It waits; where nothing can come any more there is an error.
		var head := stream.get_data(4)
		if head[0] != OK:
			break
		var length: int = head[1].decode_u32(0)
		answer(stream.get_data(length)[1] if length > 0 else PackedByteArray())
	quit()


# The engine does not say how many bytes it took. Where it refuses a packet it prints an error and gives
# null, which is told from a null that was read by the packet's type. (An object is null, too, where it
# has gone or may not be read.)
func answer(packet: PackedByteArray) -> void:
	var value: Variant = bytes_to_var(packet)
	if packet.size() < 4 or value == null and not packet[0] in [TYPE_NIL, TYPE_OBJECT]:
		put(REJECTED, PackedByteArray())
	else:
		put(ACCEPTED, var_to_bytes(value))


func put(status: int, bytes: PackedByteArray) -> void:
	var head := PackedByteArray([status, 0, 0, 0, 0, 0, 0, 0, 0])
	head.encode_u32(1, UNKNOWN)
	head.encode_u32(5, bytes.size())
	# In one piece: each piece is a packet of the network.
	stream.put_data(head + bytes)
