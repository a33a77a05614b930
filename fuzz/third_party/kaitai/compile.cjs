// Compiles definitions of Kaitai Struct to Python: `node compile.cjs FOLDER`, where FORMAT.ksy becomes FORMAT.py.
const fs = require("fs");
const path = require("path");
const compiler = require("kaitai-struct-compiler");
const yaml = require("js-yaml");

const folder = process.argv[2];
const names = fs.readdirSync(folder).filter((name) => name.endsWith(".ksy"));

(async () => {
  for (const name of names.sort()) {
    const definition = yaml.load(fs.readFileSync(path.join(folder, name), "utf8"));
    try {
      const files = await compiler.compile("python", definition, null, false);
      for (const file of Object.keys(files)) fs.writeFileSync(path.join(folder, file), files[file]);
    } catch (error) {
      console.log(`${name}: the compiler refuses it: ${String(error).trim()}`);
      process.exitCode = 1;
    }
  }
})();
