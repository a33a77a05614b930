# The game that is packed: prints what is in its files, and ends.
extends Node


func text(path):
	var file = File.new()
	if file.open(path, File.READ) != OK:
		return "none"
	return file.get_as_text().strip_edges()


func _ready():
	print("name=", ProjectSettings.get_setting("application/config/name"))
	print("note=", text("res://note.txt"))
	var save = File.new()
	save.open("res://start.save", File.READ)
	print("save=", to_json(save.get_var()))
	get_tree().quit()
