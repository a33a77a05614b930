export { File, formats, make, open, recover } from './web.js';
