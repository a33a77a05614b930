# What the tests ask of an engine: jobs come as arrays over TCP, each the name of a function here and
# what it is called with. (For Godot 3; ../godot4 has the same for Godot 4.)
extends SceneTree

var stream = StreamPeerTCP.new()


func _initialize():
	stream.connect_to_host("127.0.0.1", int(OS.get_environment("FORMWORK_PORT")))
	while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	stream.set_no_delay(true)
	while connected():
		var job = stream.get_var()
		if typeof(job) != TYPE_ARRAY:
			break
		callv(job.pop_front(), job)
	quit()


func connected():
	return stream.get_status() == StreamPeerTCP.STATUS_CONNECTED


# Values: each is read, written again, and printed, but for those that must not be.
func values(count, big_endian, objects, silent):
	stream.big_endian = big_endian
	for index in range(count):
		var value = stream.get_var(objects)
		stream.put_var(value, objects)
		stream.put_var(null if silent.has(index) else var2str(value))
	stream.big_endian = false


# The same through a PacketPeerStream on the connection.
func packets(count, objects, silent):
	var peer = PacketPeerStream.new()
	peer.input_buffer_max_size = 1 << 24
	peer.output_buffer_max_size = 1 << 24
	peer.encode_buffer_max_size = 1 << 24
	peer.stream_peer = stream
	var index = 0
	while index < count and connected():
		if peer.get_available_packet_count() == 0:
			OS.delay_usec(20)
			continue
		var value = peer.get_var(objects)
		peer.put_var(value, objects)
		peer.put_var(null if silent.has(index) else var2str(value))
		index += 1
	peer.stream_peer = null


# Datagrams: each value is sent back. The first one says where this end is.
func datagrams(count, port):
	var peer = PacketPeerUDP.new()
	peer.set_dest_address("127.0.0.1", port)
	peer.put_var("here")
	while count > 0 and connected():
		if peer.get_available_packet_count() == 0:
			OS.delay_usec(20)
			continue
		peer.put_var(peer.get_var())
		count -= 1
	peer.close()


# What StreamPeers put besides values: each is got and put again, and sent as a value; then the same
# comes as a value, and is put.
func primitives(kind, count, big_endian):
	stream.big_endian = big_endian
	for _i in range(count):
		var got = stream.call("get_" + kind)
		stream.call("put_" + kind, got)
		stream.put_var(got)
		stream.call("put_" + kind, stream.get_var())
	stream.big_endian = false


# The same for plain bytes, behind the number of them.
func data(count, big_endian):
	stream.big_endian = big_endian
	for _i in range(count):
		var got = stream.get_data(stream.get_u32())[1]
		stream.put_data(got)
		stream.put_var(got)
		stream.put_data(stream.get_var())
	stream.big_endian = false


# Values that are made here, each with its name before and its text behind it.
func made(big_endian):
	stream.big_endian = big_endian
	for pair in made_values():
		stream.put_var(pair[0])
		stream.put_var(pair[1])
		stream.put_var(var2str(pair[1]))
	stream.put_var(null)
	stream.big_endian = false


func made_values():
	var stand_in = EncodedObjectAsID.new()
	stand_in.object_id = 77
	return [
		["nil", null],
		["bool", true],
		["int", -7],
		["int64", 1 << 40],
		["float", 0.5],
		["double", 0.1],
		["infinity", -INF],
		["string", "h\u00e9 \"quoted\"\nline"],
		["vector2", Vector2(1.5, -2)],
		["rect2", Rect2(1, 2, 3, 4)],
		["vector3", Vector3(1, 2, 3)],
		["transform2d", Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))],
		["plane", Plane(1, 2, 3, 4)],
		["quat", Quat(1, 2, 3, 4)],
		["aabb", AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))],
		["basis", Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))],
		["transform", Transform(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9), Vector3(10, 11, 12))],
		["color", Color(0.25, 0.5, 0.75, 1)],
		["node_path", NodePath("/root/Main:position:x")],
		["rid", RID()],
		["object", stand_in],
		["dictionary", {"a": 1, 2: [null], Vector2(1, 2): {}}],
		["array", [1, "two", [3.0]]],
		["bytes", PoolByteArray([1, 2, 255])],
		["ints", PoolIntArray([1, -2, 2147483647])],
		["reals", PoolRealArray([0.5, -1])],
		["strings", PoolStringArray(["", "abc", "\u20ac"])],
		["vector2s", PoolVector2Array([Vector2(1, 2), Vector2(3, 4)])],
		["vector3s", PoolVector3Array([Vector3(1, 2, 3)])],
		["colors", PoolColorArray([Color(1, 0, 0.5, 0.25)])],
	]


# A file as `how` says: "plain", "swapped", "compressed" with a mode, "password" or "key" with one.
func open(path, mode, how):
	var file = File.new()
	var error = OK
	match how[0]:
		"compressed":
			error = file.open_compressed(path, mode, how[1])
		"password":
			error = file.open_encrypted_with_pass(path, mode, how[1])
		"key":
			error = file.open_encrypted(path, mode, how[1])
		_:
			error = file.open(path, mode)
			file.endian_swap = how[0] == "swapped"
	stream.put_var(error)
	return file


# Writes values into a file.
func store(path, how, count, objects):
	var file = open(path, File.WRITE, how)
	for _i in range(count):
		file.store_var(stream.get_var(objects), objects)
	file.close()
	stream.put_var("stored")


# Reads all values of a file and sends each, with its text.
func load_values(path, how, objects):
	var file = open(path, File.READ, how)
	while file.is_open() and file.get_position() < file.get_len():
		var value = file.get_var(objects)
		stream.put_var(value, objects)
		stream.put_var(var2str(value))
	file.close()
	stream.put_var("end")
