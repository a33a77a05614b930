class_name Hero
extends Resource

@export var hp := 3
@export var bag: Array = []
