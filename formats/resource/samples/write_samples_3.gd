# Writes the samples that stand next to it. Run with Godot 3 in a folder with a project.godot:
# godot3-server --path . --script write_samples.gd
extends SceneTree

func values():
	return {
		"nothing": null, "yes": true, "no": false, "small": -7, "large": 9223372036854775807,
		"most": 2147483647, "below": -2147483649, "half": 0.5, "tenth": 0.1, "text": "Größe 漢 🍺", "empty": "",
		"vector2": Vector2(1.5, -2), "rect2": Rect2(1, 2, 3, 4), "vector3": Vector3(1, 2, 3),
		"transform2d": Transform2D(0.5, Vector2(3, 4)), "plane": Plane(0, 1, 0, 5), "quat": Quat(0, 0, 0.6, 0.8),
		"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), "basis": Basis(Vector3(0.1, 0.2, 0.3)),
		"transform": Transform(Basis(), Vector3(7, 8, 9)), "color": Color(0.1, 0.2, 0.3, 0.4),
		"path": NodePath("/root/player/hand:position:x"), "relative": NodePath("../door"),
		"list": [1, "two", [3.5, {"four": 4}], []],
		7: "a number", Vector2(1, 2): "a vector",
		"bytes": PoolByteArray([1, 2, 3, 4, 5]), "ints": PoolIntArray([1, -2, 2147483647]),
		"reals": PoolRealArray([0.5, -1.25]), "texts": PoolStringArray(["one", "zwölf", ""]),
		"vector2s": PoolVector2Array([Vector2(1, 2), Vector2(3, 4)]),
		"vector3s": PoolVector3Array([Vector3(1, 2, 3)]), "colors": PoolColorArray([Color(1, 0, 0, 1)]),
	}

func _init():
	var gradient = Gradient.new()
	gradient.colors = PoolColorArray([Color(0, 0, 0), Color(1, 1, 1)])
	var texture = GradientTexture.new()
	texture.gradient = gradient
	texture.width = 16

	var other = Resource.new()
	other.resource_name = "other"
	ResourceSaver.save("res://other.res", other)
	other = load("res://other.res")

	var res = Resource.new()
	res.resource_name = "everything"
	for key in values():
		res.set_meta("value_%s" % str(key).md5_text().left(6), {key: values()[key]})
	res.set_meta("texture", texture)
	res.set_meta("gradient", gradient)
	res.set_meta("other", other)
	ResourceSaver.save("res://values.res", res)
	ResourceSaver.save("res://values-big-endian.res", res, ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	ResourceSaver.save("res://values-packed.res", res, ResourceSaver.FLAG_COMPRESS)

	var root = Node2D.new()
	root.name = "Room"
	var light = Sprite.new()
	light.name = "Lamp"
	light.position = Vector2(3, 4)
	light.texture = texture
	root.add_child(light)
	light.owner = root
	var timer = Timer.new()
	timer.name = "Timer"
	root.add_child(timer)
	timer.owner = root
	timer.connect("timeout", root, "queue_free", [1], CONNECT_PERSIST)
	var scene = PackedScene.new()
	scene.pack(root)
	ResourceSaver.save("res://room.scn", scene)

	ResourceSaver.save("res://gradient.res", gradient)

	var curve = Curve.new()
	curve.add_point(Vector2(0, 0))
	curve.add_point(Vector2(1, 1))
	ResourceSaver.save("res://curve.res", curve)
	var theme = Theme.new()
	theme.set_color("font_color", "Label", Color(1, 0, 0))
	theme.set_constant("margin", "Panel", 3)
	ResourceSaver.save("res://theme.res", theme)
	quit()
