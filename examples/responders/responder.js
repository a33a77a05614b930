// Answers formwork's decoder protocol with the npm package gd-com (npm install gd-com), which reads
// packets of Godot 3: put your decoder in its place.
'use strict'

const fs = require('fs')
const { getVar } = require('gd-com')

const UNKNOWN = 0xffffffff

/** What the package leaves out: NodePath, RID, Object. */
const LACKS = /Invalid type 1[567]$/

/** The status, how many bytes of the packet the value took, and what to send. */
function answer (packet) {
  try {
    const { length } = getVar(packet)
    // A number does not show whether it was an int or a float, so the value is not sent. Only the verdict and
    // the length are compared. If your decoder keeps the type, send the value written again.
    return [0, length, '']
  } catch (error) {
    return [LACKS.test(error.message) ? 2 : 1, UNKNOWN, error.message]
  }
}

function inFrame ([status, consumed, value]) {
  const bytes = Buffer.from(value)
  const head = Buffer.alloc(9)
  head.writeUInt8(status, 0)
  head.writeUInt32LE(consumed >= 0 && consumed <= UNKNOWN ? consumed : UNKNOWN, 1)
  head.writeUInt32LE(bytes.length, 5)
  return Buffer.concat([head, bytes])
}

// Nothing else may be printed on standard output.
console.log = console.error

let waiting = Buffer.alloc(0)
const piece = Buffer.alloc(1 << 16)
for (;;) {
  // As much as there is; nothing at the end of the input.
  const count = fs.readSync(0, piece)
  if (count === 0) break
  waiting = Buffer.concat([waiting, piece.subarray(0, count)])
  const answers = []
  while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32LE(0)) {
    const end = 4 + waiting.readUInt32LE(0)
    // A copy: a decoder may read past the end of its input.
    answers.push(inFrame(answer(Buffer.from(waiting.subarray(4, end)))))
    waiting = waiting.subarray(end)
  }
  for (let out = Buffer.concat(answers); out.length > 0;) out = out.subarray(fs.writeSync(1, out))
}
