extends Reference

# Constants of every kind that a script can hold as one.
const NAME = "Größe 漢 🍺"
const SMALL = -7
const LARGE = 9223372036854775807
const PI_HALF = 1.5707963267948966
const FLAG = true
const NOTHING = null
const POINT = Vector2(1.5, -2)
const PATH = NodePath("player/hand:position")

var size = 3
var list = [1, "two", 3.0, {"four": 4}]

func greet(who):
	if who == null:
		return "nobody"
	for index in range(3):
		print(NAME, " ", who, " ", index)
	return @"/root/player"
