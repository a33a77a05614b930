# Asks this Godot 4 what it makes of values in typed containers that were declared for another type.
#
#     godot --headless --path tests/engines/godot4 -s typed_elements.gd | sed "/^Godot Engine/d; /^$/d" > typed_elements.tsv
#
# Each packet has one declared type and one value (or pair). What comes out is bytes_to_var and
# var_to_bytes of it. formats/golden.md says what the lines mean; tests/golden/typed_elements.rs reads them.
extends SceneTree

const ARRAY := 28
const DICTIONARY := 27


func _initialize() -> void:
	var engine := Engine.get_version_info()
	print("# Godot %s: typed containers with values of other types (made by tests/engines/godot4/typed_elements.gd)" % engine.string)
	var values := single_values()
	for value in values.duplicate():
		values.append([value])
	values.append_array([
		[], [1, 2.5, true, "7", null, Vector2(1, 2)], [Vector2(1, 2), Vector3(1, 2, 3), "red", 5],
		["a", &"b", ^"c/d:e", 1, 2.5, null, [1, "x"], {"k": 1}],
		[["a\"b\\c\nd\t'", &"e\"f", ^"g\"h", {"i\"j": ["k"]}, PackedStringArray(["l\"m", "n\no"])]],
		[[0.1, 1e-7, 1e15, 1e16, 1e19, 1e39, 123456.789, INF, -INF, NAN, -0.0, Vector2(0.1, 1e-7), Vector3(1e10, 123456.789, INF)]],
		[Vector2(1e-7, 0.1), Vector2(123456.789, 1e10), Vector3(1e19, 1e20, 16777217), Vector2(-0.0, 0.30000001), Vector2(12345.678, 99.99999)],
		[Plane(0.1, 2, 3, 0.1), Quaternion(0.1, 1e-7, 1e20, NAN), Plane(1, 0, 0, INF), Rect2(0.1, 0.2, 1e7, 1), AABB(), Projection()],
		[0.1 + 0.2, 1.0 / 3.0, 100.0 / 3.0, 12345678.9, 99999999.999999999, 1e-14, 1e-15, 5e-324, 2.0 / 3.0, 10.1, -10.1, 9.99999999999999],
		[PackedFloat32Array([0.1, 1.0 / 3.0, 1e10, 1e20]), PackedVector2Array([Vector2(0.1, 1.0 / 3.0)]), Signal(), Callable()],
		[Color(0.123456, 1e-5, 12345.678, 1e20), nested(99), nested(100), nested(101), nested(105)],
		[{1: {}, "x": [], &"y": PackedByteArray(), Vector2(1, 2): Color(1, 0, 0)}, [[], [[]]], [null, {null: true}]],
	])
	for index in range(values.size()):
		row(["value", index, hex(bytes_of(values[index]))])
	for type in range(1, TYPE_MAX):
		for index in range(values.size()):
			array(type, index, values[index])
	# Elements that are containers convert as a whole, so they say nothing new as keys.
	for type in range(1, TYPE_MAX):
		for index in range(values.size() / 2):
			if typeof(values[index]) != type:
				dictionary(type, index, values[index])
	objects()
	for name in color_names():
		row(["color", name, "%08x" % Color(name).to_rgba32()])
	quit()


# Two or more values of each type, with those at the edges of others' ranges.
func single_values() -> Array:
	return [
		null, false, true,
		0, 1, -1, 200, 300, -2147483649, 4294967295, 16777217, 0x11223344, 9223372036854775807,
		0.0, -0.0, 1.0, 2.5, -2.5, 0.1, 300.7, 1e10, -1e10, 1e19, 1e39, 1e-7, 123456.789, 1e15, 1e16, 1e17,
		INF, -INF, NAN,
		"", "x", "5", "-7", "2.5", "1e3", "0x1f", "12abc", " 3", "true", "99999999999999999999", "--4", "a-5", "3-4",
		"-99999999999999999999", "inf", "nan", "-5e-3", "1e400", "5.", ".5", "+5", "1e", "1e+", "1.5e2.5", "\t7", "0.1", "1,5",
		"/root/a:b:c", "a/b", "/", ":", "a//b", "red", "RED", "Dark Red", "dark-red", "dark_red", "web gray",
		"#f00", "#f008", "#ff0000", "#ff000080", "f00", "f008", "ff0000", "FF000080", "#ff00", "#ff", "#gg0000", "0xff0000",
		"transparent", " red", "ünï\u0301", "1 2", "a\"b\\c\nd",
		&"", &"name", &"red", &"7", ^"", ^"a/b:c", ^"/root", ^"/", ^":x",
		Vector2(1.5, -2.5), Vector2(INF, NAN), Vector2i(3, -4), Vector2i(2147483647, 16777217),
		Rect2(1.5, 2.5, -3.5, 4.5), Rect2i(1, 2, -3, 4),
		Vector3(1.5, -2.5, 3.5), Vector3i(3, -4, 5),
		Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5.5, 6)),
		Vector4(1.5, -2.5, 3.5, 4.5), Vector4i(3, -4, 5, 6),
		Plane(1.5, 2, 3, 4), Quaternion(0.5, 0.5, -0.5, 0.5), Quaternion(1, 2, 3, 4), Quaternion(0, 0, 0, 0), Quaternion(0.1, 0.2, 0.3, 0.4), Quaternion(-0.7, 0.11, 0.3, 1.3),
		AABB(Vector3(1, 2, 3), Vector3(4, 5.5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Basis(Quaternion(0.5, 0.5, -0.5, 0.5)), Basis.from_euler(Vector3(0.1, 0.2, 0.3)), Basis.from_euler(Vector3(3, 0.2, 0.1)),
		Basis.from_euler(Vector3(0.1, 3, 0.2)), Basis.from_euler(Vector3(0.1, 0.2, 3)), Basis.from_scale(Vector3(-1, 1, 1)),
		Basis.from_scale(Vector3(1.0002, 1.0002, 1.0002)), Basis.from_scale(Vector3(1.00001, 1, 1)), Basis.from_scale(Vector3(2, 2, 2)),
		Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12.5)),
		Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		Projection(Vector4(1, 2, 3, 0), Vector4(5, 6, 7, 0), Vector4(9, 10, 11, 0), Vector4(13, 14, 15, 1)),
		Color(0.1, 0.2, 0.3, 0.4), Color(2, -1, 0.5), Color(1, 0, 0, 1),
		RID(), rid_from_int64(7), Callable(), Signal(),
		{}, {"a": 1}, {1: [2.0, "b"], &"c": null},
		[], [1, 2.5, "x", &"y", ^"z", null, true, [1], {2: 3}],
		Array([1, 2], TYPE_INT, "", null), Array(["red"], TYPE_STRING, "", null),
		PackedByteArray(), PackedByteArray([0, 1, 255]),
		PackedInt32Array([1, -2]), PackedInt64Array([1, -9223372036854775807]),
		PackedFloat32Array([0.1, 2]), PackedFloat64Array([0.1, 1e300]),
		PackedStringArray(["a", "red"]),
		PackedVector2Array([Vector2(1, 2.5)]), PackedVector3Array([Vector3(1, 2, 3.5)]),
		PackedVector4Array([Vector4(1, 2, 3, 4.5)]), PackedColorArray([Color(0.1, 0.2, 0.3, 0.4)]),
	]


# So many arrays around an empty one.
func nested(depth: int) -> Array:
	var value := []
	for _level in range(depth):
		value = [value]
	return value


# A line only where something is kept that is not the value itself, or is refused.
func array(type: int, index: int, value: Variant) -> void:
	var packet := words([ARRAY | 1 << 16, type, 1])
	packet.append_array(bytes_of(value))
	var made: Variant = bytes_to_var(packet)
	if typeof(made) != TYPE_ARRAY:
		row(["array", type, index, "refused"])
	elif made.is_empty():
		if typeof(value) == type:
			row(["array", type, index, "left out"])
	else:
		var kept := bytes_of(made[0])
		if kept != bytes_of(value) or typeof(value) != type:
			row(["array", type, index, hex(kept)])


# The value as a key and as a value of a dictionary that is typed on that side only.
func dictionary(type: int, index: int, value: Variant) -> void:
	for side in ["key", "item"]:
		var packet := words([DICTIONARY | (1 << 16 if side == "key" else 1 << 18), type, 1])
		packet.append_array(bytes_of(value) if side == "key" else bytes_of(1))
		packet.append_array(bytes_of(1) if side == "key" else bytes_of(value))
		var made: Variant = bytes_to_var(packet)
		if typeof(made) != TYPE_DICTIONARY:
			row([side, type, index, "refused"])
		elif made.is_empty():
			# As a rule nothing is left of a key of another type, and all of an item.
			if side == "item":
				row([side, type, index, "left out"])
		else:
			var kept := bytes_of(made.keys()[0] if side == "key" else made.values()[0])
			if side == "key" or kept != bytes_of(value):
				row([side, type, index, hex(kept)])


# Arrays of objects, of the classes that the engine has and of others: whole packets.
func objects() -> void:
	var id := EncodedObjectAsID.new()
	id.object_id = 0x123456789a
	var image := Image.create_empty(1, 1, false, Image.FORMAT_L8)
	var plain := Object.new()
	var values := [null, RefCounted.new(), Resource.new(), plain, id, 5, "x", []]
	var types := [words([ARRAY | 1 << 16, TYPE_OBJECT])]
	for name in ["", "Object", "RefCounted", "Resource", "Image", "Node", "EncodedObjectAsID", "NoSuchClass"]:
		var head := words([ARRAY | 2 << 16])
		head.append_array(bytes_of(name).slice(4))
		types.append(head)
	for head in types:
		for value in values:
			for full in [false, true]:
				var packet: PackedByteArray = head.duplicate()
				packet.append_array(words([1]))
				if value == null or typeof(value) != TYPE_OBJECT:
					packet.append_array(bytes_of(value))
				elif full and value != id:
					packet.append_array(var_to_bytes_with_objects(value))
				elif value == id:
					packet.append_array(words([TYPE_OBJECT | 1 << 16, 0x3456789a, 0x12]))
				else:
					continue
				var made: Variant = bytes_to_var_with_objects(packet) if full else bytes_to_var(packet)
				var said := "refused"
				# The number of an object that is made here is another one each time.
				if not full and typeof(value) == TYPE_OBJECT and value == id and typeof(made) == TYPE_ARRAY and made.size() == 1:
					row(["numbers", hex(packet), hex(var_to_bytes(made).slice(0, -8)) + "0000000000000000"])
					continue
				if typeof(made) == TYPE_ARRAY:
					said = hex(var_to_bytes_with_objects(made) if full else var_to_bytes(made))
				row(["objects" if full else "numbers", hex(packet), said])
	plain.free()


# The names of Color's constants, and some that other lists have and this one does not.
func color_names() -> PackedStringArray:
	return (
		"alice_blue antique_white aqua aquamarine azure beige bisque black blanched_almond blue  " +
		"blue_violet brown burlywood cadet_blue chartreuse chocolate coral cornflower  " +
		"cornflower_blue cornsilk crimson cyan dark_blue dark_cyan dark_goldenrod dark_gray  " +
		"dark_green dark_khaki dark_magenta dark_olive_green dark_orange dark_orchid dark_red  " +
		"dark_salmon dark_sea_green dark_slate_blue dark_slate_gray dark_turquoise dark_violet  " +
		"deep_pink deep_sky_blue dim_gray dodger_blue firebrick floral_white forest_green fuchsia  " +
		"gainsboro ghost_white gold goldenrod gray green green_yellow honeydew hot_pink indian_red  " +
		"indigo ivory khaki lavender lavender_blush lawn_green lemon_chiffon light_blue light_coral  " +
		"light_cyan light_goldenrod light_goldenrod_yellow light_gray light_green light_pink  " +
		"light_salmon light_sea_green light_sky_blue light_slate_gray light_steel_blue light_yellow  " +
		"lime lime_green linen magenta maroon medium_aquamarine medium_blue medium_orchid  " +
		"medium_purple medium_sea_green medium_slate_blue medium_spring_green medium_turquoise  " +
		"medium_violet_red midnight_blue mint_cream misty_rose moccasin navajo_white navy navy_blue  " +
		"old_lace olive olive_drab orange orange_red orchid pale_goldenrod pale_green  " +
		"pale_turquoise pale_violet_red papaya_whip peach_puff peru pink plum powder_blue purple  " +
		"rebecca_purple red rosy_brown royal_blue saddle_brown salmon sandy_brown sea_green  " +
		"seashell sienna silver sky_blue slate_blue slate_gray snow spring_green steel_blue tan  " +
		"teal thistle tomato transparent turquoise violet web_gray web_green web_maroon web_purple  " +
		"wheat white white_smoke yellow yellow_green"
	).split(" ")


func words(numbers: Array) -> PackedByteArray:
	var bytes := PackedByteArray()
	for number in numbers:
		bytes.append_array([number & 0xff, number >> 8 & 0xff, number >> 16 & 0xff, number >> 24 & 0xff])
	return bytes


func bytes_of(value: Variant) -> PackedByteArray:
	return var_to_bytes(value)


func hex(bytes: PackedByteArray) -> String:
	return bytes.hex_encode()


func row(parts: Array) -> void:
	print("\t".join(parts))
