# Writes the samples that stand next to it. Run with Godot 3 in this folder:
# godot3-server --script write_samples.gd
extends SceneTree

func put_all(peer):
	peer.put_8(-2)
	peer.put_u8(254)
	peer.put_16(-2)
	peer.put_u16(65534)
	peer.put_32(-2)
	peer.put_u32(4294967294)
	peer.put_64(-2)
	peer.put_u64(9223372036854775807)
	peer.put_float(0.1)
	peer.put_double(0.1)
	peer.put_string("lamp")
	peer.put_string("")
	peer.put_utf8_string("Größe 漢 🍺")
	peer.put_data(PoolByteArray([1, 2, 3]))
	peer.put_var({"hp": 7})

func _init():
	for big in [false, true]:
		var name = "_big_endian.bin" if big else ".bin"

		var peer = StreamPeerBuffer.new()
		peer.big_endian = big
		put_all(peer)
		var file = File.new()
		file.open("stream_peer" + name, File.WRITE)
		file.store_buffer(peer.data_array)
		file.close()

		file.open("file" + name, File.WRITE)
		file.endian_swap = big
		file.store_8(254)
		file.store_16(65534)
		file.store_32(4294967294)
		file.store_64(-2)
		file.store_float(0.1)
		file.store_double(0.1)
		file.store_real(0.1)
		file.store_pascal_string("Größe 漢 🍺")
		file.store_buffer(PoolByteArray([1, 2, 3]))
		file.store_var({"hp": 7})
		file.close()

		# A PacketPeerStream over such a StreamPeer: its lengths are little endian all the same, and
		# an empty packet is not sent.
		peer = StreamPeerBuffer.new()
		peer.big_endian = big
		var packets = PacketPeerStream.new()
		packets.stream_peer = peer
		packets.put_var("lamp")
		packets.put_packet(PoolByteArray())
		packets.put_packet(PoolByteArray([2, 0, 0, 0, 5, 0, 0, 0]))
		file.open("packet_peer_stream" + name, File.WRITE)
		file.store_buffer(peer.data_array)
		file.close()
	quit()
