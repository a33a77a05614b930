# The game that is packed: prints what is in its files, and ends.
extends Node


func _ready():
	print("name=", ProjectSettings.get_setting("application/config/name"))
	print("note=", FileAccess.get_file_as_string("res://note.txt").strip_edges())
	print("save=", JSON.stringify(FileAccess.open("res://start.save", FileAccess.READ).get_var()))
	get_tree().quit()
