import init, * as codec from './codec.js';
import { of } from './values.mjs';

await init();
export const { decode, encode } = of(codec);
export const engines = () => codec.engines();
export { Float, Typed } from './values.mjs';
