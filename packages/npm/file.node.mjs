import { readFileSync } from 'node:fs';
import * as web from './web.js';

web.initSync({ module: readFileSync(new URL('web_bg.wasm', import.meta.url)) });
export { File, formats, make, open, recover } from './web.js';
