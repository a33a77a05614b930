# What the tests ask of an engine: jobs come as arrays over TCP, each the name of a function here and
# what it is called with. (For Godot 4; ../godot3 has the same for Godot 3.)
extends SceneTree

var stream := StreamPeerTCP.new()


func _initialize() -> void:
	stream.connect_to_host("127.0.0.1", int(OS.get_environment("FORMWORK_PORT")))
	stream.poll()
	while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
		stream.poll()
	stream.set_no_delay(true)
	while connected():
		var job: Variant = stream.get_var()
		if typeof(job) != TYPE_ARRAY:
			break
		callv(job.pop_front(), job)
	quit()


func connected() -> bool:
	stream.poll()
	return stream.get_status() == StreamPeerTCP.STATUS_CONNECTED


# Values: each is read, written again, and printed, but for those that must not be.
func values(count: int, big_endian: bool, objects: bool, silent: Array) -> void:
	stream.big_endian = big_endian
	for index in range(count):
		var value: Variant = stream.get_var(objects)
		stream.put_var(value, objects)
		stream.put_var(null if silent.has(index) else var_to_str(value))
	stream.big_endian = false


# The same through a PacketPeerStream on the connection.
func packets(count: int, objects: bool, silent: Array) -> void:
	var peer := PacketPeerStream.new()
	peer.input_buffer_max_size = 1 << 24
	peer.output_buffer_max_size = 1 << 24
	peer.encode_buffer_max_size = 1 << 24
	peer.stream_peer = stream
	var index := 0
	while index < count and connected():
		if peer.get_available_packet_count() == 0:
			OS.delay_usec(20)
			continue
		var value: Variant = peer.get_var(objects)
		peer.put_var(value, objects)
		peer.put_var(null if silent.has(index) else var_to_str(value))
		index += 1
	peer.stream_peer = null


# Datagrams: each value is sent back. The first one says where this end is.
func datagrams(count: int, port: int) -> void:
	var peer := PacketPeerUDP.new()
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
func primitives(kind: String, count: int, big_endian: bool) -> void:
	stream.big_endian = big_endian
	for _i in range(count):
		var got: Variant = stream.call("get_" + kind)
		stream.call("put_" + kind, got)
		stream.put_var(got)
		stream.call("put_" + kind, stream.get_var())
	stream.big_endian = false


# The same for plain bytes, behind the number of them.
func data(count: int, big_endian: bool) -> void:
	stream.big_endian = big_endian
	for _i in range(count):
		var got: Variant = stream.get_data(stream.get_u32())[1]
		stream.put_data(got)
		stream.put_var(got)
		stream.put_data(stream.get_var())
	stream.big_endian = false


# Values that are made here, each with its name before and its text behind it.
func made(big_endian: bool) -> void:
	stream.big_endian = big_endian
	for pair in made_values():
		stream.put_var(pair[0])
		stream.put_var(pair[1])
		stream.put_var(var_to_str(pair[1]))
	stream.put_var(null)
	stream.big_endian = false


func made_values() -> Array:
	var ints: Array[int] = [1, 2]
	var stand_in := EncodedObjectAsID.new()
	stand_in.object_id = 77
	var values := [
		["nil", null],
		["bool", true],
		["int", -7],
		["int64", 1 << 40],
		["float", 0.5],
		["double", 0.1],
		["infinity", -INF],
		["string", "h\u00e9 \"quoted\"\nline"],
		["vector2", Vector2(1.5, -2)],
		["vector2i", Vector2i(1, -2)],
		["rect2", Rect2(1, 2, 3, 4)],
		["rect2i", Rect2i(1, 2, 3, 4)],
		["vector3", Vector3(1, 2, 3)],
		["vector3i", Vector3i(1, -2, 3)],
		["transform2d", Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))],
		["vector4", Vector4(1, 2, 3, 4)],
		["vector4i", Vector4i(1, -2, 3, -4)],
		["plane", Plane(1, 2, 3, 4)],
		["quaternion", Quaternion(1, 2, 3, 4)],
		["aabb", AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))],
		["basis", Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))],
		["transform3d", Transform3D(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9), Vector3(10, 11, 12))],
		["projection", Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16))],
		["color", Color(0.25, 0.5, 0.75, 1)],
		["string_name", &"name"],
		["node_path", ^"/root/Main:position:x"],
		["rid", rid_from_int64(13)],
		["object", stand_in],
		["callable", Callable()],
		["signal", Signal()],
		["dictionary", {"a": 1, 2: [null], Vector2(1, 2): {}}],
		["array", [1, "two", [3.0]]],
		["typed_array", ints],
		["bytes", PackedByteArray([1, 2, 255])],
		["ints", PackedInt32Array([1, -2, 2147483647])],
		["int64s", PackedInt64Array([1, -2, 1 << 40])],
		["floats", PackedFloat32Array([0.5, -1])],
		["doubles", PackedFloat64Array([0.1])],
		["strings", PackedStringArray(["", "abc", "\u20ac"])],
		["vector2s", PackedVector2Array([Vector2(1, 2), Vector2(3, 4)])],
		["vector3s", PackedVector3Array([Vector3(1, 2, 3)])],
		["colors", PackedColorArray([Color(1, 0, 0.5, 0.25)])],
	]
	# Older releases have no words for these.
	var release: int = Engine.get_version_info().hex
	if release >= 0x040300:
		values.append(["vector4s", str_to_var("PackedVector4Array(1, 2, 3, 4)")])
	if release >= 0x040400:
		values.append(["typed_dictionary", str_to_var("Dictionary[String, int]({\"a\": 1})")])
	return values


# A file as `how` says: "plain", "swapped", "compressed" with a mode, "password" or "key" with one.
func open(path: String, mode: FileAccess.ModeFlags, how: Array) -> FileAccess:
	var file: FileAccess
	match how[0]:
		"compressed":
			file = FileAccess.open_compressed(path, mode, how[1])
		"password":
			file = FileAccess.open_encrypted_with_pass(path, mode, how[1])
		"key":
			file = FileAccess.open_encrypted(path, mode, how[1])
		_:
			file = FileAccess.open(path, mode)
			if file:
				file.big_endian = how[0] == "swapped"
	stream.put_var(OK if file else FileAccess.get_open_error())
	return file


# Writes values into a file.
func store(path: String, how: Array, count: int, objects: bool) -> void:
	var file := open(path, FileAccess.WRITE, how)
	for _i in range(count):
		var value: Variant = stream.get_var(objects)
		if file:
			file.store_var(value, objects)
	if file:
		file.close()
	stream.put_var("stored")


# Reads all values of a file and sends each, with its text.
func load_values(path: String, how: Array, objects: bool) -> void:
	var file := open(path, FileAccess.READ, how)
	while file and file.get_position() < file.get_length():
		var value: Variant = file.get_var(objects)
		stream.put_var(value, objects)
		stream.put_var(var_to_str(value))
	if file:
		file.close()
	stream.put_var("end")
