import init from './web.js';

await init();
export { File, formats, make, open, recover } from './web.js';
