import { readFileSync } from 'node:fs';
import * as codec from './codec.js';
import { of } from './values.mjs';

codec.initSync({ module: readFileSync(new URL('codec_bg.wasm', import.meta.url)) });
export const { decode, encode } = of(codec);
export const engines = () => codec.engines();
export { Float, Typed } from './values.mjs';
