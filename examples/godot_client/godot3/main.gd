# Sends a few values to a server of formwork and prints what comes back.
#
#   godot3-server --path examples/godot_client/godot3 [--udp] [--address=127.0.0.1] [--port=7777]
extends Node

var address = "127.0.0.1"
var port = 7777

func values():
	return [
		42,
		"Größe 漢 🍺",
		Vector3(1, 2.5, -3),
		PoolByteArray([1, 2, 3]),
		{"hp": 73.5, "at": Transform(), "path": NodePath("/root/World:position"), "log": ["a", null]},
		"bye",
	]

func _ready():
	var udp = false
	for argument in OS.get_cmdline_args():
		if argument == "--udp":
			udp = true
		elif argument.begins_with("--address="):
			address = argument.trim_prefix("--address=")
		elif argument.begins_with("--port="):
			port = int(argument.trim_prefix("--port="))
	var good = exchange_udp() if udp else exchange_tcp()
	print("all came back" if good else "something did not come back")
	get_tree().quit(0 if good else 1)

func exchange_tcp():
	var peer = StreamPeerTCP.new()
	peer.connect_to_host(address, port)
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(10)
	if peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		print("no server at ", address, ":", port)
		return false
	print(peer.get_var())
	var good = true
	for value in values():
		peer.put_var(value)
		good = compare(value, peer.get_var()) and good
	peer.disconnect_from_host()
	return good

func exchange_udp():
	var peer = PacketPeerUDP.new()
	peer.set_dest_address(address, port)
	var good = true
	for value in values():
		peer.put_var(value)
		var waited = 0
		while peer.get_available_packet_count() == 0:
			waited += 1
			if waited > 200:
				print("no server at ", address, ":", port)
				return false
			OS.delay_msec(10)
		good = compare(value, peer.get_var()) and good
	return good

func compare(value, answer):
	print(answer)
	# By their text: pools and dictionaries are compared by identity, and the padding of a NodePath's
	# bytes is what was in memory.
	return var2str(value) == var2str(answer["value"])
