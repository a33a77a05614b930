# Peers that send each other values over loopback, for record.sh:
#   godot3-server --no-window -s peers.gd KIND
# One process is both ends. What each end received is checked, and printed as JSON-like text, so that
# a capture is known to hold what was sent.
extends SceneTree

const PORT = 47100

func values():
	var big = PoolByteArray()
	for i in range(3000):
		big.append((i * 7 + i / 256) % 256)
	var long = ""
	for i in range(500):
		long += str(i) + " "
	return [
		{"hp": 100, "position": Vector2(1.5, -2.25), "name": "lamp", "alive": true},
		[1, 2.5, "three", null, Vector3(1, 2, 3), Color(0.25, 0.5, 0.75, 1)],
		42,
		-7000000000,
		"Grüße, 世界",
		big,
		{"long": long, "list": range(200), NodePath("a/b:c"): Rect2(1, 2, 3, 4)},
	]

func _init():
	var kind = OS.get_cmdline_args()[OS.get_cmdline_args().size() - 1]
	var failed = call(kind)
	print("failed: ", failed) if failed else print("sent and received: ", kind)
	quit()

func wait(milliseconds = 20):
	OS.delay_msec(milliseconds)

func streams(big_endian):
	var server = TCP_Server.new()
	server.listen(PORT, "127.0.0.1")
	var client = StreamPeerTCP.new()
	client.connect_to_host("127.0.0.1", PORT)
	while not server.is_connection_available():
		wait()
	var peer = server.take_connection()
	while client.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		wait()
	client.big_endian = big_endian
	peer.big_endian = big_endian
	return [server, client, peer]

func close(all):
	all[1].disconnect_from_host()
	wait(50)
	all[2].disconnect_from_host()
	all[0].stop()
	wait(50)

func put_values(all):
	var failed = 0
	for value in values():
		all[1].put_var(value)
		if var2str(all[2].get_var()) != var2str(value):
			failed += 1
	all[2].put_var({"answer": values().size()})
	all[1].get_var()
	close(all)
	return failed

func stream():
	return put_values(streams(false))

func stream_big_endian():
	return put_values(streams(true))

func packet_stream():
	var all = streams(false)
	var packets = [PacketPeerStream.new(), PacketPeerStream.new()]
	var failed = 0
	for end in range(2):
		packets[end].stream_peer = all[end + 1]
	for value in values():
		packets[0].put_var(value)
		while packets[1].get_available_packet_count() == 0:
			wait()
		if var2str(packets[1].get_var()) != var2str(value):
			failed += 1
	packets[1].put_var({"answer": values().size()})
	wait()
	close(all)
	return failed

func datagrams():
	var a = PacketPeerUDP.new()
	var b = PacketPeerUDP.new()
	a.listen(PORT, "127.0.0.1")
	b.listen(PORT + 1, "127.0.0.1")
	a.set_dest_address("127.0.0.1", PORT + 1)
	b.set_dest_address("127.0.0.1", PORT)
	var failed = 0
	for value in values():
		a.put_var(value)
		b.wait()
		if var2str(b.get_var()) != var2str(value):
			failed += 1
	b.put_var({"answer": values().size()})
	a.wait()
	a.get_var()
	# Values one behind another, and something that is none.
	var several = PoolByteArray()
	for value in ["one", {"two": 2}]:
		several.append_array(var2bytes(value))
	a.put_packet(several)
	a.put_packet("this is text and not a value".to_utf8())
	wait()
	return failed

func peers(compression, connected = true):
	var server = NetworkedMultiplayerENet.new()
	var client = NetworkedMultiplayerENet.new()
	server.compression_mode = compression
	client.compression_mode = compression
	server.set_bind_ip("127.0.0.1")
	server.create_server(PORT)
	client.create_client("127.0.0.1", PORT)
	while connected and client.get_connection_status() != client.CONNECTION_CONNECTED:
		server.poll()
		client.poll()
		wait(5)
	# The server hears of it a little later.
	for i in range(10 if connected else 0):
		server.poll()
		client.poll()
		wait(5)
	return [server, client]

# put_var over the peers themselves, both ways, reliable and not.
func enet_with(compression, all_values):
	var ends = peers(compression)
	var failed = 0
	for end in range(2):
		ends[end].set_target_peer(0 if end == 0 else 1)
		for value in all_values:
			ends[end].transfer_mode = NetworkedMultiplayerPeer.TRANSFER_MODE_RELIABLE
			ends[end].put_var(value)
			for i in range(8):
				ends[0].poll()
				ends[1].poll()
				wait(3)
			if ends[1 - end].get_available_packet_count() == 0:
				failed += 1
			elif var2str(ends[1 - end].get_var()) != var2str(value):
				failed += 1
	for mode in [NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE,
			NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED]:
		ends[1].transfer_mode = mode
		ends[1].put_var({"mode": mode})
		for i in range(4):
			ends[0].poll()
			ends[1].poll()
			wait(3)
	ends[1].close_connection()
	wait(50)
	ends[0].poll()
	ends[0].close_connection()
	return failed

func enet():
	return enet_with(NetworkedMultiplayerENet.COMPRESS_NONE, values())

func enet_zlib():
	return enet_with(NetworkedMultiplayerENet.COMPRESS_ZLIB, values())

func enet_zstd():
	return enet_with(NetworkedMultiplayerENet.COMPRESS_ZSTD, values())

func enet_fastlz():
	return enet_with(NetworkedMultiplayerENet.COMPRESS_FASTLZ, values())

func enet_range_coder():
	return enet_with(NetworkedMultiplayerENet.COMPRESS_RANGE_CODER, values())

# The scene tree's multiplayer: calls, properties, bytes.
func rpc():
	# The multiplayer must be there when the peers connect, to hear of it.
	var ends = peers(NetworkedMultiplayerENet.COMPRESS_NONE, false)
	var apis = []
	var nodes = []
	for end in range(2):
		var root_of_end = Node.new()
		root_of_end.name = "end%d" % end
		get_root().add_child(root_of_end)
		var api = MultiplayerAPI.new()
		api.set_root_node(root_of_end)
		api.network_peer = ends[end]
		var script = GDScript.new()
		script.source_code = "extends Node\nvar calls = 0\nremote var mood = ''\nremote func hit(a, b, c):\n\tcalls += 1\nremote func idle():\n\tcalls += 1\n"
		script.reload()
		var node = Node.new()
		node.set_script(script)
		node.name = "player"
		root_of_end.add_child(node)
		node.custom_multiplayer = api
		apis.append(api)
		nodes.append(node)
	while apis[0].get_network_connected_peers().size() == 0 or apis[1].get_network_connected_peers().size() == 0:
		pump(apis)
	for i in range(3):
		nodes[1].rpc("hit", i, {"where": Vector2(i, 0.5)}, "sword")
		pump(apis)
	nodes[1].rpc("idle")
	pump(apis)
	nodes[1].rset("mood", "grim")
	pump(apis)
	nodes[0].rpc_id(apis[1].get_network_unique_id(), "hit", values()[5], values()[6], [null])
	for i in range(5):
		pump(apis)
	nodes[0].rpc_unreliable("hit", 1, 2, 3)
	apis[1].send_bytes(var2bytes({"raw": true}), 1)
	apis[1].send_bytes("not a value".to_utf8(), 1)
	for i in range(5):
		pump(apis)
	var failed = 0
	if nodes[0].calls != 4 or nodes[1].calls != 2 or nodes[0].mood != "grim":
		failed = 1
	ends[1].close_connection()
	wait(50)
	apis[0].poll()
	ends[0].close_connection()
	return failed

func pump(apis):
	for i in range(3):
		for api in apis:
			api.poll()
		wait(4)
