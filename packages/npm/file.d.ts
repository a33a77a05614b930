export { File, formats, make, open, recover } from './web.js';
export type { Change, Child, Field, FormworkError, Json, Problem } from './web.js';
