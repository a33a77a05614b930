# Writes the samples that stand next to it. Run with Godot 4 in a folder with a project.godot and hero.gd,
# which `godot --headless --path . --import` has looked at:
# godot --headless --path . --script write_samples.gd
extends SceneTree

func values():
	return {
		"nothing": null, "name": &"a name", "vector2i": Vector2i(1, -2), "rect2i": Rect2i(1, 2, 3, 4), "vector3i": Vector3i(1, 2, 3),
		"vector4": Vector4(1, 2, 3, 4), "vector4i": Vector4i(1, 2, 3, 4), "projection": Projection(),
		"callable": Callable(), "signal": Signal(), "longs": PackedInt64Array([1, -9223372036854775808]),
		"doubles": PackedFloat64Array([0.1]), "vector4s": PackedVector4Array([Vector4(1, 2, 3, 4)]),
		"typed": [1, 2] as Array[int], "yes": true, "no": false, "small": -7, "large": 9223372036854775807,
		"most": 2147483647, "below": -2147483649, "half": 0.5, "tenth": 0.1, "text": "Größe 漢 🍺", "empty": "",
		"vector2": Vector2(1.5, -2), "rect2": Rect2(1, 2, 3, 4), "vector3": Vector3(1, 2, 3),
		"transform2d": Transform2D(0.5, Vector2(3, 4)), "plane": Plane(0, 1, 0, 5), "quaternion": Quaternion(0, 0, 0.6, 0.8),
		"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), "basis": Basis.from_euler(Vector3(0.1, 0.2, 0.3)),
		"transform3d": Transform3D(Basis(), Vector3(7, 8, 9)), "color": Color(0.1, 0.2, 0.3, 0.4),
		"path": NodePath("/root/player/hand:position:x"), "relative": NodePath("../door"),
		"list": [1, "two", [3.5, {"four": 4}], []],
		7: "a number", Vector2(1, 2): "a vector",
		"bytes": PackedByteArray([1, 2, 3, 4, 5]), "ints": PackedInt32Array([1, -2, 2147483647]),
		"reals": PackedFloat32Array([0.5, -1.25]), "texts": PackedStringArray(["one", "zwölf", ""]),
		"vector2s": PackedVector2Array([Vector2(1, 2), Vector2(3, 4)]),
		"vector3s": PackedVector3Array([Vector3(1, 2, 3)]), "colors": PackedColorArray([Color(1, 0, 0, 1)]),
	}

func _init():
	var gradient = Gradient.new()
	gradient.colors = PackedColorArray([Color(0, 0, 0), Color(1, 1, 1)])
	var texture = GradientTexture1D.new()
	texture.gradient = gradient
	texture.width = 16

	var other = Resource.new()
	other.resource_name = "other"
	ResourceSaver.save(other, "res://other.res")
	other = load("res://other.res")

	var res = Resource.new()
	res.resource_name = "everything"
	for key in values():
		res.set_meta("value_%s" % str(key).md5_text().left(6), {key: values()[key]})
	res.set_meta("texture", texture)
	res.set_meta("gradient", gradient)
	res.set_meta("other", other)
	ResourceSaver.save(res, "res://values.res")
	ResourceSaver.save(res, "res://values-big-endian.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	ResourceSaver.save(res, "res://values-packed.res", ResourceSaver.FLAG_COMPRESS)

	var root = Node2D.new()
	root.name = "Room"
	var light = Sprite2D.new()
	light.name = "Lamp"
	light.position = Vector2(3, 4)
	light.texture = texture
	root.add_child(light)
	light.owner = root
	var timer = Timer.new()
	timer.name = "Timer"
	root.add_child(timer)
	timer.owner = root
	timer.timeout.connect(root.queue_free.bind(1), CONNECT_PERSIST)
	var scene = PackedScene.new()
	scene.pack(root)
	ResourceSaver.save(scene, "res://room.scn")

	ResourceSaver.save(gradient, "res://gradient.res")
	var hero = load("res://hero.gd").new()
	hero.hp = 7
	hero.bag = ["lamp", &"rope"]
	ResourceSaver.save(hero, "res://hero.res")

	var curve = Curve.new()
	curve.add_point(Vector2(0, 0))
	curve.add_point(Vector2(1, 1))
	ResourceSaver.save(curve, "res://curve.res")
	var theme = Theme.new()
	theme.set_color("font_color", "Label", Color(1, 0, 0))
	theme.set_constant("margin", "Panel", 3)
	ResourceSaver.save(theme, "res://theme.res")
	quit()
